-- The audit log: docs/audit-log.md describes it.

CREATE TABLE audit_events (
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  sequence bigint NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  action text NOT NULL,
  object_type text NOT NULL,
  object_id text NOT NULL,
  object_name text,
  app_id uuid,
  user_id uuid,
  user_email text,
  token_id uuid,
  session_id uuid,
  address text,
  user_agent text,
  request_id text,
  operation text,
  before jsonb,
  after jsonb,
  previous_hash text NOT NULL,
  hash text NOT NULL,
  CONSTRAINT audit_events_action_check CHECK ((action = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text]))),
  CONSTRAINT audit_events_sequence_check CHECK ((sequence > 0)),
  CONSTRAINT audit_events_organization_id_sequence_key UNIQUE (organization_id, sequence) INCLUDE (id),
  CONSTRAINT audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_events_organization_id_app_id_sequence_idx ON audit_events (organization_id, app_id, sequence);
CREATE INDEX audit_events_organization_id_created_at_idx ON audit_events (organization_id, created_at);
CREATE INDEX audit_events_organization_id_object_id_sequence_idx ON audit_events (organization_id, object_id, sequence);
CREATE INDEX audit_events_organization_id_user_id_sequence_idx ON audit_events (organization_id, user_id, sequence);

CREATE TABLE audit_chains (
  organization_id uuid NOT NULL,
  sequence bigint NOT NULL,
  hash text NOT NULL,
  CONSTRAINT audit_chains_pkey PRIMARY KEY (organization_id)
);

-- The text that is hashed. docs/audit-log.md specifies it, and chain.ts computes it independently.
CREATE FUNCTION audit_hash(event audit_events) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT encode(sha256(convert_to(event.previous_hash || E'\n' || jsonb_build_array(
        event.id, event.organization_id, event.sequence,
        to_char(event.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        event.action, event.object_type, event.object_id, event.object_name, event.app_id,
        event.user_id, event.user_email, event.token_id, event.session_id, event.address,
        event.user_agent, event.request_id, event.operation, event.before, event.after
    )::text, 'UTF8')), 'hex')
$$;

-- A value as the log shows it: secrets masked, no bytes, times as in the API, at most 1,000 characters.
CREATE FUNCTION audit_value(value jsonb, type oid, secret boolean) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
    DECLARE
        content text := value #>> '{}';
    BEGIN
        IF content IS NULL THEN
            RETURN 'null';
        ELSIF secret THEN
            RETURN '"***"';
        ELSIF type = 'bytea'::regtype THEN
            RETURN '"(binary)"';
        ELSIF type = 'timestamptz'::regtype THEN
            RETURN to_jsonb(to_char(content::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
        ELSIF length(content) > 1000 THEN
            RETURN to_jsonb(left(content, 1000) || '… (cut, ' || length(content) || ' characters)');
        END IF;
        RETURN value;
    END
$$;

-- expires_at becomes expiresAt, in every locale.
CREATE FUNCTION audit_key(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT left(name, 1) || substr(replace(initcap(replace(name, '_', ' ') COLLATE "C"), ' ', ''), 2)
$$;

-- Writes the event of one change into the chains of its organizations. Runs at the commit, so that it holds the lock
-- on a chain only for a moment.
CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        options jsonb := TG_ARGV[0];
        actor jsonb := nullif(current_setting('slipway.actor', true), '');
        ignored text[] := ARRAY(SELECT jsonb_array_elements_text(options -> 'ignored')) || 'updated_at'::text;
        old_row jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
        new_row jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
        this jsonb := coalesce(new_row, old_row);
        subject uuid := this ->> (options ->> 'user');
        organizations uuid[];
        organization uuid;
        head audit_chains;
        event audit_events;
    BEGIN
        event.app_id := this ->> (CASE options ->> 'type' WHEN 'app' THEN 'id' ELSE 'app_id' END);
        CASE options ->> 'organization'
            WHEN 'self' THEN
                organizations := ARRAY[this ->> 'id'];
            WHEN 'own' THEN
                -- A row that moves concerns both.
                organizations := ARRAY[old_row ->> 'organization_id', new_row ->> 'organization_id'];
            WHEN 'app' THEN
                SELECT ARRAY[organization_id] INTO organizations FROM apps WHERE id = event.app_id;
            WHEN 'build' THEN
                SELECT ARRAY[apps.organization_id], apps.id INTO organizations, event.app_id
                  FROM builds JOIN apps ON apps.id = builds.app_id WHERE builds.id = (this ->> 'build_id')::uuid;
            WHEN 'team' THEN
                SELECT ARRAY[organization_id] INTO organizations FROM teams WHERE id = (this ->> 'team_id')::uuid;
                SELECT user_id INTO subject FROM members WHERE id = (this ->> 'member_id')::uuid;
            WHEN 'license-key' THEN
                SELECT ARRAY[organization_id] INTO organizations FROM license_keys
                 WHERE id = (this ->> 'license_key_id')::uuid;
            WHEN 'user' THEN
                SELECT array_agg(organization_id) INTO organizations FROM members WHERE user_id = subject;
        END CASE;

        SELECT jsonb_object_agg(key, audit_value(old_row -> attname, atttypid, secret)) FILTER (WHERE old_row IS NOT NULL),
               jsonb_object_agg(key, audit_value(new_row -> attname, atttypid, secret)) FILTER (WHERE new_row IS NOT NULL)
          INTO event.before, event.after
          FROM (SELECT attname::text, atttypid,
                       coalesce(options -> 'renamed' ->> attname, audit_key(attname)) AS key,
                       coalesce(options -> 'secret' ? attname, false) AS secret
                  FROM pg_attribute
                 WHERE attrelid = TG_RELID AND attnum > 0 AND NOT attisdropped
                   AND attname <> ALL (ignored) AND coalesce(options -> 'only' ? attname, true)
                   AND (TG_OP <> 'UPDATE' OR old_row -> attname IS DISTINCT FROM new_row -> attname)) AS attributes;
        IF TG_OP = 'UPDATE' AND event.after IS NULL THEN
            RETURN OLD;
        END IF;

        event.action := CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'updated' ELSE 'deleted' END;
        event.object_type := options ->> 'type';
        event.object_id := this ->> 'id';
        event.object_name := left(
            coalesce(this ->> (options ->> 'name'), (SELECT email FROM users WHERE id = subject)), 1000);
        event.user_id := actor ->> 'userId';
        event.user_email := (SELECT email FROM users WHERE id = event.user_id);
        IF (actor ->> 'session')::boolean THEN
            event.session_id := actor ->> 'tokenId';
        ELSE
            event.token_id := actor ->> 'tokenId';
        END IF;
        event.address := actor ->> 'address';
        event.user_agent := actor ->> 'userAgent';
        event.request_id := actor ->> 'requestId';
        event.operation := actor ->> 'operation';

        -- Always in the same order, so that two transactions never wait for each other.
        FOR organization IN
            SELECT DISTINCT id FROM unnest(organizations) AS id WHERE id IS NOT NULL ORDER BY id
        LOOP
            SELECT * INTO head FROM audit_chains WHERE organization_id = organization FOR UPDATE;
            IF NOT FOUND THEN
                INSERT INTO audit_chains VALUES (organization, 0, repeat('0', 64)) ON CONFLICT DO NOTHING;
                SELECT * INTO head FROM audit_chains WHERE organization_id = organization FOR UPDATE;
            END IF;
            event.id := gen_random_uuid();
            event.organization_id := organization;
            event.sequence := head.sequence + 1;
            event.created_at := date_trunc('milliseconds', clock_timestamp());
            event.previous_hash := head.hash;
            event.hash := audit_hash(event);
            INSERT INTO audit_events SELECT event.*;
            UPDATE audit_chains SET sequence = event.sequence, hash = event.hash
             WHERE organization_id = organization;
        END LOOP;
        -- Only the result of a BEFORE DELETE trigger counts: the deletion continues.
        RETURN OLD;
    END
$$;

-- Only triggers write the log, and they only append.
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% of % is not allowed: the audit log is only ever written to by itself', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END
$$;
CREATE TRIGGER audit_only_by_trigger BEFORE INSERT OR UPDATE ON audit_events
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_never BEFORE DELETE OR TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_only_by_trigger BEFORE INSERT OR UPDATE ON audit_chains
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_never BEFORE DELETE OR TRUNCATE ON audit_chains
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();

CREATE FUNCTION audit_refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'TRUNCATE of % is not allowed: the audit log could not tell. Use DELETE', TG_TABLE_NAME
            USING ERRCODE = 'insufficient_privilege';
    END
$$;

-- Makes a table audited. The condition says which updates change the object, if not all do. The log leaves out cascaded deletions (depth > 0). An update of ignored columns only costs no
-- more than the comparison.
CREATE PROCEDURE audit_table(audited regclass, options jsonb, update_condition text DEFAULT 'true') LANGUAGE plpgsql AS $$
    DECLARE
        ignored text[] := ARRAY(SELECT jsonb_array_elements_text(options -> 'ignored')) || 'updated_at'::text;
    BEGIN
        EXECUTE format('CREATE CONSTRAINT TRIGGER audit_insert AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_change(%L)', audited, options);
        EXECUTE format('CREATE CONSTRAINT TRIGGER audit_update AFTER UPDATE ON %s DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND (%s)
                AND to_jsonb(OLD.*) - %3$L::text[] IS DISTINCT FROM to_jsonb(NEW.*) - %3$L::text[])
            EXECUTE FUNCTION audit_change(%4$L)', audited, update_condition, ignored, options);
        IF audited = 'users'::regclass THEN
            -- At the commit, the memberships of the user are gone.
            EXECUTE format('CREATE TRIGGER audit_delete BEFORE DELETE ON %s
                FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_change(%L)', audited, options);
        ELSE
            EXECUTE format('CREATE CONSTRAINT TRIGGER audit_delete AFTER DELETE ON %s DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_change(%L)', audited, options);
        END IF;
        EXECUTE format('CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON %s
            FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_truncate()', audited);
    END
$$;
