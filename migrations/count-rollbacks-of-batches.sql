-- Counts roll-backs of bundles per device, for all devices of a statement at once, so that its roll-backs are announced
-- together: see `announce_rollbacks`. The newest 20 counts of each device stay: a stranger may report any native version.

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

DROP TRIGGER count_rollback ON devices;
DROP FUNCTION count_rollback();
CREATE TRIGGER count_rollbacks AFTER UPDATE ON devices
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_rollbacks();
