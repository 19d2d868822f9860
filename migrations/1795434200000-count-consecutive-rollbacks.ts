import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A device that goes back to an older bundle has rolled back, too, not only one that goes back to the bundle of the app.
 * What a device rolled back before it ran the bundle well no longer counts like what followed.
 */
export class CountConsecutiveRollbacks1795434200000 implements MigrationInterface {
  name = 'CountConsecutiveRollbacks1795434200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE device_rollbacks ADD COLUMN count_when_healthy integer NOT NULL DEFAULT 0',
    );
    // Servers of the version before read the first number only.
    await announceRollbacks(
      queryRunner,
      `CASE TG_OP WHEN 'DELETE' THEN '0:0'
            ELSE least(count - count_when_healthy, 999) || ':' || least(count, 999) END`,
    );
    await countRollbacks(queryRunner, 'device.bundle_id IS DISTINCT FROM before.bundle_id', HEALTH);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await countRollbacks(queryRunner, 'device.bundle_id IS NULL', '');
    await announceRollbacks(queryRunner, `CASE TG_OP WHEN 'DELETE' THEN 0 ELSE least(count, 999) END`);
    await queryRunner.query('ALTER TABLE device_rollbacks DROP COLUMN count_when_healthy');
  }
}

/**
 * Evidence that a bundle is healthy: two checks in a row with it, ten minutes apart. Bundles are locked first, as for
 * counting, because whoever offers one to all devices again locks it before its counts.
 */
const HEALTH = `
  UPDATE device_rollbacks AS known SET count_when_healthy = known.count
    FROM (SELECT counted.id
            FROM before
            JOIN after AS device ON device.app_id = before.app_id AND device.id = before.id
            JOIN device_rollbacks AS counted
              ON counted.app_id = device.app_id AND counted.device_id = device.id
             AND counted.bundle_id = device.bundle_id AND counted.app_version_code = device.app_version_code
            JOIN bundles ON bundles.id = counted.bundle_id
           WHERE before.bundle_id = device.bundle_id AND before.app_version_code = device.app_version_code
             AND device.last_seen_at >= before.last_seen_at + interval '10 minutes'
             AND counted.count_when_healthy < counted.count
           ORDER BY device.app_id, device.id
             FOR KEY SHARE OF bundles) AS healthy
   WHERE known.id = healthy.id;`;

/** @param counted what is announced of a changed row, after its key */
async function announceRollbacks(queryRunner: QueryRunner, counted: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION announce_rollbacks() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('rollbacks', app_id || ' ' || string_agg(key || ':' || counted, ' '))
               FROM (SELECT app_id, encode(key, 'hex') AS key, ${counted} AS counted,
                            row_number() OVER (PARTITION BY app_id) / 300 AS part
                       FROM changed) AS numbered
              GROUP BY app_id, part;
            RETURN NULL;
        END
    $$`);
}

/**
 * @param left what holds of a device that no longer runs the bundle which it was offered
 * @param health the statement that notes evidence of health
 */
async function countRollbacks(queryRunner: QueryRunner, left: string, health: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION count_rollbacks() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            ${health}
            -- From the bundle that it was offered to another one or none, in the same native version, and offered the
            -- same. A bundle that is being deleted is not counted any more.
            INSERT INTO device_rollbacks AS known (id, app_id, device_id, bundle_id, app_version_code, key, count, last_at)
            SELECT gen_random_uuid(), device.app_id, device.id, bundles.id, device.app_version_code,
                   -- As \`rollbackHash\`.
                   substr(sha256(convert_to(bundles.id || '/' || octet_length(device.app_version_code) || '/'
                                            || device.app_version_code || '/' || device.id, 'UTF8')), 1, 8),
                   1, device.last_seen_at
              FROM before
              JOIN after AS device ON device.app_id = before.app_id AND device.id = before.id
              JOIN deployments ON deployments.id = device.deployment_id
              JOIN build_artifacts ON build_artifacts.build_id = deployments.build_id
              JOIN bundles ON bundles.id = build_artifacts.id
             WHERE before.bundle_id IS NOT NULL AND ${left}
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
                      WHERE before.bundle_id IS NOT NULL AND ${left}) AS numbered
                    WHERE number > 20);
            END IF;
            RETURN NULL;
        END
    $$`);
}
