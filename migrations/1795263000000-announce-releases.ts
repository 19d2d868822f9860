import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Announces by NOTIFY every change of what decides which bundle a device is offered: topic `releases`, the payload is
 * the id of the app. PostgreSQL sends it with the commit, and the same one only once for a transaction.
 */
export class AnnounceReleases1795263000000 implements MigrationInterface {
  name = 'AnnounceReleases1795263000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION announce_release() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
        app text := changed ->> TG_ARGV[0];
      BEGIN
        IF TG_ARGV[0] = 'build_id' THEN
          SELECT app_id::text INTO app FROM builds WHERE id = app::uuid;
        END IF;
        IF app IS NOT NULL THEN
          PERFORM pg_notify('releases', app);
        END IF;
        RETURN NULL;
      END $$
    `);
    for (const [name, event, argument] of TRIGGERS) {
      await queryRunner.query(
        `CREATE TRIGGER ${name} AFTER ${event} EXECUTE FUNCTION announce_release('${argument}')`,
      );
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, event] of TRIGGERS) {
      await queryRunner.query(`DROP TRIGGER ${name} ON ${/ ON (\w+) /.exec(event)?.[1]}`);
    }
    await queryRunner.query('DROP FUNCTION announce_release()');
  }
}

/** Name, event, and the column that leads to the app. */
const TRIGGERS: readonly (readonly [name: string, event: string, argument: string])[] = [
  [
    'announce_app',
    'INSERT OR DELETE OR UPDATE OF default_channel_id, custom_id_hashing ON apps FOR EACH ROW',
    'id',
  ],
  ['announce_channel', 'INSERT OR UPDATE OR DELETE ON channels FOR EACH ROW', 'app_id'],
  ['announce_deployment', 'INSERT OR UPDATE OR DELETE ON deployments FOR EACH ROW', 'app_id'],
  ['announce_build', 'UPDATE ON builds FOR EACH ROW', 'app_id'],
  ['announce_artifact', 'INSERT OR UPDATE OR DELETE ON build_artifacts FOR EACH ROW', 'build_id'],
  ['announce_bundle', 'INSERT OR UPDATE OR DELETE ON bundles FOR EACH ROW', 'app_id'],
  [
    'announce_forced_device',
    'INSERT ON devices FOR EACH ROW WHEN (NEW.forced_channel_id IS NOT NULL)',
    'app_id',
  ],
  [
    'announce_forcing',
    'UPDATE OF forced_channel_id ON devices FOR EACH ROW WHEN (OLD.forced_channel_id IS DISTINCT FROM NEW.forced_channel_id)',
    'app_id',
  ],
  [
    'announce_forgotten_device',
    'DELETE ON devices FOR EACH ROW WHEN (OLD.forced_channel_id IS NOT NULL)',
    'app_id',
  ],
];
