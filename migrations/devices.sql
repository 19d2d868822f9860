-- Devices, their counts, and the roll-backs that they report.

CREATE TABLE custom_id_keys (
  id uuid NOT NULL,
  sealed_key text NOT NULL,
  CONSTRAINT custom_id_keys_pkey PRIMARY KEY (id),
  CONSTRAINT custom_id_keys_id_fkey FOREIGN KEY (id) REFERENCES apps (id) ON DELETE CASCADE
);

CREATE TABLE devices (
  app_id uuid NOT NULL,
  id text NOT NULL,
  platform smallint NOT NULL,
  app_version_code text NOT NULL,
  app_version_name text NOT NULL,
  os_version text NOT NULL,
  plugin_version text NOT NULL,
  custom_id text,
  runtime text,
  country text,
  channel_id uuid,
  forced_channel_id uuid,
  deployment_id uuid,
  last_seen_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  requested_channel_names text[] NOT NULL DEFAULT '{}',
  custom_id_hashed boolean NOT NULL DEFAULT false,
  bundle_id uuid,
  seen_days bigint NOT NULL DEFAULT '1',
  offered_at timestamptz(3),
  applied_at timestamptz(3),
  rolled_back_at timestamptz(3),
  CONSTRAINT devices_pkey PRIMARY KEY (app_id, id),
  CONSTRAINT devices_platform_check CHECK (platform BETWEEN 0 AND 2),
  CONSTRAINT devices_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT devices_forced_channel_id_fkey FOREIGN KEY (forced_channel_id) REFERENCES channels (id) ON DELETE SET NULL
);
CREATE INDEX devices_app_id_custom_id_idx ON devices (app_id, custom_id) WHERE custom_id IS NOT NULL;
CREATE INDEX devices_bundle_id_idx ON devices (bundle_id) WHERE bundle_id IS NOT NULL;
CREATE INDEX devices_channel_id_idx ON devices (channel_id);
CREATE INDEX devices_deployment_id_idx ON devices (deployment_id);
CREATE INDEX devices_forced_channel_id_idx ON devices (forced_channel_id) WHERE forced_channel_id IS NOT NULL;
CREATE INDEX devices_list_idx ON devices (app_id, last_seen_at, id, channel_id, bundle_id, platform, app_version_code, app_version_name);

CREATE TRIGGER announce_forced_device AFTER INSERT ON devices
  FOR EACH ROW WHEN (NEW.forced_channel_id IS NOT NULL)
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_forcing AFTER UPDATE OF forced_channel_id ON devices
  FOR EACH ROW WHEN (OLD.forced_channel_id IS DISTINCT FROM NEW.forced_channel_id)
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_forgotten_device AFTER DELETE ON devices
  FOR EACH ROW WHEN (OLD.forced_channel_id IS NOT NULL)
  EXECUTE FUNCTION announce_release('app_id');

-- Devices report often about themselves: only the forced channel, which people decide, is compared at all.
CREATE CONSTRAINT TRIGGER audit_update AFTER UPDATE ON devices DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND OLD.forced_channel_id IS DISTINCT FROM NEW.forced_channel_id)
  EXECUTE FUNCTION audit_change('{"type":"device","organization":"app","only":["app_id","forced_channel_id"],"renamed":{"forced_channel_id":"forcedAppChannelId"}}');
CREATE CONSTRAINT TRIGGER audit_delete AFTER DELETE ON devices DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND OLD.forced_channel_id IS NOT NULL)
  EXECUTE FUNCTION audit_change('{"type":"device","organization":"app","only":["app_id","forced_channel_id"],"renamed":{"forced_channel_id":"forcedAppChannelId"}}');

CREATE TABLE device_counts (
  app_id uuid NOT NULL,
  dimension text NOT NULL,
  day date NOT NULL,
  others boolean NOT NULL,
  value text NOT NULL,
  daily integer NOT NULL,
  weekly integer NOT NULL,
  monthly integer NOT NULL,
  CONSTRAINT device_counts_pkey PRIMARY KEY (app_id, dimension, day, others, value),
  CONSTRAINT device_counts_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);

-- Counts roll-backs of bundles per device, and announces each count by NOTIFY: topic `rollbacks`, the payload is the id
-- of the app and, for up to 300 counts, `<key>:<count>`. Release tables are not announced: their counts are changed in place.
CREATE TABLE device_rollbacks (
  id uuid NOT NULL,
  app_id uuid NOT NULL,
  device_id text NOT NULL,
  bundle_id uuid NOT NULL,
  app_version_code text NOT NULL,
  key bytea NOT NULL,
  count integer NOT NULL,
  last_at timestamptz(3) NOT NULL,
  CONSTRAINT device_rollbacks_pkey PRIMARY KEY (id),
  CONSTRAINT device_rollbacks_key UNIQUE (app_id, device_id, bundle_id, app_version_code),
  CONSTRAINT device_rollbacks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT device_rollbacks_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
);
CREATE INDEX device_rollbacks_bundle_id_idx ON device_rollbacks (bundle_id);
CREATE INDEX device_rollbacks_app_id_last_at_idx ON device_rollbacks (app_id, last_at);

-- A deleted row announces the count 0.
CREATE FUNCTION announce_rollbacks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_notify('rollbacks', app_id || ' ' || string_agg(key || ':' || counted, ' '))
           FROM (SELECT app_id, encode(key, 'hex') AS key,
                        CASE TG_OP WHEN 'DELETE' THEN 0 ELSE least(count, 999) END AS counted,
                        row_number() OVER (PARTITION BY app_id) / 300 AS part
                   FROM changed) AS numbered
          GROUP BY app_id, part;
        RETURN NULL;
    END
$$;
CREATE TRIGGER announce_inserted_rollbacks AFTER INSERT ON device_rollbacks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_rollbacks();
CREATE TRIGGER announce_updated_rollbacks AFTER UPDATE ON device_rollbacks
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_rollbacks();
CREATE TRIGGER announce_deleted_rollbacks AFTER DELETE ON device_rollbacks
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_rollbacks();

-- Counts for all devices of a statement at once, so that its roll-backs are announced together. The newest 20 counts of
-- each device stay: a stranger may report any native version. A trigger, because it sees the row as it was under the lock:
-- two servers that write the same check-in count it once.
CREATE FUNCTION count_rollbacks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        -- From the bundle that it was offered to the one that came with the app, in the same native version, and offered
        -- the same. A bundle that is being deleted is not counted any more.
        INSERT INTO device_rollbacks AS known (id, app_id, device_id, bundle_id, app_version_code, key, count, last_at)
        SELECT gen_random_uuid(), device.app_id, device.id, bundles.id, device.app_version_code,
               -- As `rollbackHash`.
               substr(sha256(convert_to(bundles.id || '/' || octet_length(device.app_version_code) || '/'
                                        || device.app_version_code || '/' || device.id, 'UTF8')), 1, 8),
               1, device.last_seen_at
          FROM before
          JOIN after AS device ON device.app_id = before.app_id AND device.id = before.id
          JOIN deployments ON deployments.id = device.deployment_id
          JOIN build_artifacts ON build_artifacts.build_id = deployments.build_id
          JOIN bundles ON bundles.id = build_artifacts.id
         WHERE before.bundle_id IS NOT NULL AND device.bundle_id IS NULL
           AND before.deployment_id = device.deployment_id AND before.app_version_code = device.app_version_code
           AND bundles.id = before.bundle_id AND bundles.app_id = device.app_id
         ORDER BY device.app_id, device.id
           FOR KEY SHARE OF bundles
        ON CONFLICT (app_id, device_id, bundle_id, app_version_code)
        DO UPDATE SET count = known.count + 1, last_at = excluded.last_at;
        IF FOUND THEN
            DELETE FROM device_rollbacks
             WHERE id IN (
               SELECT id FROM (
                 SELECT known.id, row_number() OVER (PARTITION BY known.app_id, known.device_id
                                                         ORDER BY known.last_at DESC, known.id) AS number
                   FROM before
                   JOIN after AS device ON device.app_id = before.app_id AND device.id = before.id
                   JOIN device_rollbacks AS known ON known.app_id = device.app_id AND known.device_id = device.id
                  WHERE before.bundle_id IS NOT NULL AND device.bundle_id IS NULL) AS numbered
                WHERE number > 20);
        END IF;
        RETURN NULL;
    END
$$;
CREATE TRIGGER count_rollbacks AFTER UPDATE ON devices
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rollbacks();

CREATE FUNCTION delete_rollbacks_of_devices() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM device_rollbacks AS known USING deleted
         WHERE known.app_id = deleted.app_id AND known.device_id = deleted.id;
        RETURN NULL;
    END
$$;
CREATE TRIGGER delete_rollbacks_of_devices AFTER DELETE ON devices
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_rollbacks_of_devices();

-- The audit log then has one event, of the bundle, and not one for each device.
CREATE FUNCTION clear_rollbacks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM device_rollbacks WHERE bundle_id = NEW.id;
        RETURN NULL;
    END
$$;
CREATE TRIGGER clear_rollbacks AFTER UPDATE OF rollbacks_cleared_at ON bundles
  FOR EACH ROW EXECUTE FUNCTION clear_rollbacks();

-- Devices count by themselves. That a person offers a bundle to one of them again is recorded.
CREATE CONSTRAINT TRIGGER audit_delete AFTER DELETE ON device_rollbacks DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION audit_change('{"type":"device-rollback","organization":"app","ignored":["key"]}');
