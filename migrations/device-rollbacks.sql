-- Counts roll-backs of bundles per device, and announces each count by NOTIFY: topic `rollbacks`, the payload is the id
-- of the app and, for up to 300 counts, `<key>:<count>`. Release tables are not announced: their counts are changed in place.

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

-- A trigger, because it sees the row as it was under the lock: two servers that write the same check-in count it once.
-- A bundle that is being deleted is not counted any more.
CREATE FUNCTION count_rollback() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO device_rollbacks AS known (id, app_id, device_id, bundle_id, app_version_code, key, count, last_at)
        SELECT gen_random_uuid(), NEW.app_id, NEW.id, bundles.id, NEW.app_version_code,
               -- As `rollbackHash`.
               substr(sha256(convert_to(bundles.id || '/' || octet_length(NEW.app_version_code) || '/'
                                        || NEW.app_version_code || '/' || NEW.id, 'UTF8')), 1, 8),
               1, NEW.last_seen_at
          FROM deployments
          JOIN build_artifacts ON build_artifacts.build_id = deployments.build_id
          JOIN bundles ON bundles.id = build_artifacts.id
         WHERE deployments.id = NEW.deployment_id AND bundles.id = OLD.bundle_id AND bundles.app_id = NEW.app_id
           FOR KEY SHARE OF bundles
        ON CONFLICT (app_id, device_id, bundle_id, app_version_code)
        DO UPDATE SET count = known.count + 1, last_at = excluded.last_at;
        RETURN NULL;
    END
$$;
-- From the bundle that it was offered to the one that came with the app, in the same native version, and offered the same.
CREATE TRIGGER count_rollback AFTER UPDATE ON devices
  FOR EACH ROW WHEN (OLD.bundle_id IS NOT NULL AND NEW.bundle_id IS NULL
                     AND OLD.deployment_id = NEW.deployment_id AND OLD.app_version_code = NEW.app_version_code)
  EXECUTE FUNCTION count_rollback();

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
