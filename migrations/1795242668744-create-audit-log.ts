import { MigrationInterface, QueryRunner } from 'typeorm';

/** Table, options and, where not every update is a change of the object, the condition. See docs/audit-log.md. */
const audited: readonly (readonly [string, object, string?])[] = [
  ['organizations', { type: 'organization', organization: 'self', name: 'name' }],
  ['members', { type: 'member', organization: 'own', user: 'user_id', ignored: ['last_seen_at'] }],
  [
    'invitations',
    { type: 'invitation', organization: 'own', name: 'email', ignored: ['mailed_at', 'mail_error'] },
  ],
  ['teams', { type: 'team', organization: 'own', name: 'name', ignored: ['name_lower'] }],
  ['team_members', { type: 'team-member', organization: 'team' }],
  ['team_apps', { type: 'team-app', organization: 'team' }],
  [
    'license_keys',
    { type: 'license-key', organization: 'own', name: 'name', secret: ['key_hash', 'sealed_key'] },
  ],
  ['license_key_packages', { type: 'license-key-package', organization: 'license-key' }],
  [
    'apps',
    {
      type: 'app',
      organization: 'own',
      name: 'name',
      ignored: ['last_build_number'],
      renamed: {
        default_channel_id: 'appChannelId',
        channel_discovery_enabled: 'appChannelDiscoveryEnabled',
        next_build_number: 'nextAppBuildNumber',
      },
    },
    // Giving a number to a build is no change of the app.
    'OLD.last_build_number = NEW.last_build_number',
  ],
  ['channels', { type: 'channel', organization: 'app', name: 'name', ignored: ['name_lower'] }],
  [
    'deployments',
    {
      type: 'deployment',
      organization: 'app',
      renamed: { build_id: 'appBuildId', channel_id: 'appChannelId' },
    },
  ],
  [
    'bundles',
    {
      type: 'bundle',
      organization: 'app',
      renamed: { channel_id: 'appChannelId', deployment_id: 'appDeploymentId' },
    },
  ],
  ['builds', { type: 'build', organization: 'app', name: 'display_name' }],
  [
    'build_artifacts',
    {
      type: 'build-artifact',
      organization: 'build',
      name: 'file_name',
      ignored: ['blob_id', 'total_downloads'],
      renamed: { build_id: 'appBuildId' },
    },
  ],
  ['users', { type: 'user', organization: 'user', user: 'id', name: 'email', ignored: ['last_seen_at'] }],
  [
    'tokens',
    {
      type: 'token',
      organization: 'user',
      user: 'user_id',
      name: 'name',
      secret: ['hash', 'previous_hash', 'last_four'],
      ignored: ['last_used_at', 'last_used_address', 'last_used_client'],
    },
  ],
  [
    'sessions',
    {
      type: 'session',
      organization: 'user',
      user: 'user_id',
      secret: ['hash'],
      ignored: ['last_used_at'],
    },
  ],
  ['passwords', { type: 'password', organization: 'user', user: 'user_id', secret: ['hash'] }],
  [
    'two_factors',
    {
      type: 'two-factor',
      organization: 'user',
      user: 'user_id',
      secret: ['secret'],
      ignored: ['last_step'],
    },
  ],
  ['recovery_codes', { type: 'recovery-code', organization: 'user', user: 'user_id', secret: ['hash'] }],
];

/** Of a device, only what a person decides about it. */
const devices = {
  type: 'device',
  organization: 'app',
  only: ['app_id', 'forced_channel_id'],
  renamed: { forced_channel_id: 'forcedAppChannelId' },
};

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export class CreateAuditLog1795242668744 implements MigrationInterface {
  name = 'CreateAuditLog1795242668744';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "audit_chains" (
                "organization_id" uuid NOT NULL,
                "sequence" bigint NOT NULL,
                "hash" text NOT NULL,
                CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("organization_id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "audit_events" (
                "id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "sequence" bigint NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "action" text NOT NULL,
                "object_type" text NOT NULL,
                "object_id" text NOT NULL,
                "object_name" text,
                "app_id" uuid,
                "user_id" uuid,
                "user_email" text,
                "token_id" uuid,
                "session_id" uuid,
                "address" text,
                "user_agent" text,
                "request_id" text,
                "operation" text,
                "before" jsonb,
                "after" jsonb,
                "previous_hash" text NOT NULL,
                "hash" text NOT NULL,
                CONSTRAINT "audit_events_organization_id_sequence_key" UNIQUE ("organization_id", "sequence"),
                CONSTRAINT "audit_events_sequence_check" CHECK (sequence > 0),
                CONSTRAINT "audit_events_action_check" CHECK (action IN ('created', 'updated', 'deleted')),
                CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_organization_id_app_id_sequence_idx" ON "audit_events" ("organization_id", "app_id", "sequence")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_organization_id_user_id_sequence_idx" ON "audit_events" ("organization_id", "user_id", "sequence")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_organization_id_object_id_sequence_idx" ON "audit_events" ("organization_id", "object_id", "sequence")
        `);
    await queryRunner.query(`
            CREATE INDEX "audit_events_organization_id_created_at_idx" ON "audit_events" ("organization_id", "created_at")
        `);

    // Which text is hashed is told in docs/audit-log.md and done again in chain.ts.
    await queryRunner.query(`
            CREATE FUNCTION audit_hash(event audit_events) RETURNS text LANGUAGE sql STABLE AS $$
                SELECT encode(sha256(convert_to(event.previous_hash || E'\\n' || jsonb_build_array(
                    event.id, event.organization_id, event.sequence,
                    to_char(event.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                    event.action, event.object_type, event.object_id, event.object_name, event.app_id,
                    event.user_id, event.user_email, event.token_id, event.session_id, event.address,
                    event.user_agent, event.request_id, event.operation, event.before, event.after
                )::text, 'UTF8')), 'hex')
            $$
        `);

    // A value as it is shown: secrets masked, no bytes, times as in the API, and at most 1,000 characters.
    await queryRunner.query(`
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
            $$
        `);

    // expires_at becomes expiresAt, in every locale.
    await queryRunner.query(`
            CREATE FUNCTION audit_key(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
                SELECT left(name, 1) || substr(replace(initcap(replace(name, '_', ' ') COLLATE "C"), ' ', ''), 2)
            $$
        `);

    // Writes the event of one change into the chains of the organizations that it concerns. It runs at the commit, so
    // that the lock on a chain is held for no longer than that.
    await queryRunner.query(`
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
                            -- What moves is told to both.
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

                    -- Always in the same order, so that no two wait for each other.
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
                    -- Matters before a deletion only, which goes on.
                    RETURN OLD;
                END
            $$
        `);

    await queryRunner.query(`
            CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    RAISE EXCEPTION '% of % is not allowed: the audit log is only ever written to by itself', TG_OP, TG_TABLE_NAME
                        USING ERRCODE = 'insufficient_privilege';
                END
            $$
        `);
    for (const table of ['audit_events', 'audit_chains']) {
      await queryRunner.query(`
            CREATE TRIGGER audit_only_by_trigger BEFORE INSERT OR UPDATE ON ${table}
                FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_refuse()
        `);
      await queryRunner.query(`
            CREATE TRIGGER audit_never BEFORE DELETE OR TRUNCATE ON ${table}
                FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()
        `);
    }
    await queryRunner.query(`
            CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit_events
                FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()
        `);

    // Makes a table audited. What falls by a cascade (depth > 0) is not listed singly, and updates of nothing but
    // ignored columns cost no more than the comparison.
    await queryRunner.query(`
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
                        -- At the commit nothing would tell any more which organizations the user was in.
                        EXECUTE format('CREATE TRIGGER audit_delete BEFORE DELETE ON %s
                            FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_change(%L)', audited, options);
                    ELSE
                        EXECUTE format('CREATE CONSTRAINT TRIGGER audit_delete AFTER DELETE ON %s DEFERRABLE INITIALLY DEFERRED
                            FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_change(%L)', audited, options);
                    END IF;
                    EXECUTE format('CREATE TRIGGER audit_truncate BEFORE TRUNCATE ON %s
                        FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_truncate()', audited);
                END
            $$
        `);
    await queryRunner.query(`
            CREATE FUNCTION audit_refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    RAISE EXCEPTION 'TRUNCATE of % is not allowed: the audit log could not tell. Use DELETE', TG_TABLE_NAME
                        USING ERRCODE = 'insufficient_privilege';
                END
            $$
        `);

    for (const [table, options, condition] of audited) {
      const parameters = [table, JSON.stringify(options), condition ?? 'true'].map(literal);
      await queryRunner.query(`CALL audit_table(${parameters.join(', ')})`);
    }
    // Devices report often, and of themselves: only what a person forces on them is compared at all.
    const argument = literal(JSON.stringify(devices));
    await queryRunner.query(`
            CREATE CONSTRAINT TRIGGER audit_update AFTER UPDATE ON devices DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND OLD.forced_channel_id IS DISTINCT FROM NEW.forced_channel_id)
                EXECUTE FUNCTION audit_change(${argument})
        `);
    await queryRunner.query(`
            CREATE CONSTRAINT TRIGGER audit_delete AFTER DELETE ON devices DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND OLD.forced_channel_id IS NOT NULL)
                EXECUTE FUNCTION audit_change(${argument})
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table] of audited) {
      for (const event of ['insert', 'update', 'delete', 'truncate']) {
        await queryRunner.query(`DROP TRIGGER audit_${event} ON ${table}`);
      }
    }
    await queryRunner.query(`DROP TRIGGER audit_update ON devices`);
    await queryRunner.query(`DROP TRIGGER audit_delete ON devices`);
    await queryRunner.query(`DROP PROCEDURE audit_table`);
    await queryRunner.query(`DROP FUNCTION audit_change`);
    await queryRunner.query(`DROP FUNCTION audit_hash`);
    await queryRunner.query(`DROP TABLE "audit_events"`);
    await queryRunner.query(`DROP TABLE "audit_chains"`);
    await queryRunner.query(`DROP FUNCTION audit_value`);
    await queryRunner.query(`DROP FUNCTION audit_key`);
    await queryRunner.query(`DROP FUNCTION audit_refuse`);
    await queryRunner.query(`DROP FUNCTION audit_refuse_truncate`);
  }
}
