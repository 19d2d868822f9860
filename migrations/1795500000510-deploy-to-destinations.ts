import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deployments go to a channel, or to a destination in a store, which devices never see. */
export class DeployToDestinations1795500000510 implements MigrationInterface {
  name = 'DeployToDestinations1795500000510';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE deployments
        ALTER channel_id DROP NOT NULL,
        ADD destination_id uuid,
        ADD release_notes jsonb,
        ADD CONSTRAINT deployments_destination_id_fkey
          FOREIGN KEY (destination_id) REFERENCES destinations (id) ON DELETE CASCADE,
        ADD CONSTRAINT deployments_target_check CHECK (num_nonnulls(channel_id, destination_id) = 1)`);
    await queryRunner.query(`
      CREATE INDEX deployments_destination_id_sequence_idx ON deployments (destination_id, sequence)
       WHERE destination_id IS NOT NULL`);
    await queryRunner.query(
      'CREATE INDEX submissions_app_id_package_name_id_idx ON submissions (app_id, package_name, id)',
    );
    await queryRunner.query(announceRelease('AND channel_id IS NOT NULL'));
    await queryRunner.query('DROP TRIGGER announce_deployment ON deployments');
    await queryRunner.query(`
      CREATE TRIGGER announce_deployment AFTER INSERT OR UPDATE ON deployments
        FOR EACH ROW WHEN (NEW.channel_id IS NOT NULL) EXECUTE FUNCTION announce_release('app_id')`);
    await queryRunner.query(`
      CREATE TRIGGER announce_deployment_deletion AFTER DELETE ON deployments
        FOR EACH ROW WHEN (OLD.channel_id IS NOT NULL) EXECUTE FUNCTION announce_release('app_id')`);
    await auditDeployments(queryRunner, { destination_id: 'appDestinationId' });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM deployments WHERE channel_id IS NULL');
    await queryRunner.query('SET CONSTRAINTS ALL IMMEDIATE');
    await auditDeployments(queryRunner, {});
    await queryRunner.query('DROP TRIGGER announce_deployment_deletion ON deployments');
    await queryRunner.query('DROP TRIGGER announce_deployment ON deployments');
    await queryRunner.query(`
      CREATE TRIGGER announce_deployment AFTER INSERT OR UPDATE OR DELETE ON deployments
        FOR EACH ROW EXECUTE FUNCTION announce_release('app_id')`);
    await queryRunner.query(announceRelease(''));
    await queryRunner.query('DROP INDEX submissions_app_id_package_name_id_idx');
    await queryRunner.query('DROP INDEX deployments_destination_id_sequence_idx');
    await queryRunner.query(`
      ALTER TABLE deployments
        DROP COLUMN release_notes,
        DROP COLUMN destination_id,
        ALTER channel_id SET NOT NULL`);
  }
}

/** Audits deployments again, with names for some more columns. */
async function auditDeployments(
  queryRunner: QueryRunner,
  names: Readonly<Record<string, string>>,
): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON deployments`);
  }
  const options = {
    type: 'deployment',
    organization: 'app',
    renamed: { build_id: 'appBuildId', channel_id: 'appChannelId', ...names },
    ignored: ['version'],
  };
  await queryRunner.query(`CALL audit_table('deployments', '${JSON.stringify(options)}')`);
}

/**
 * As in `1795463000000-keep-tables-of-harmless-changes.ts`.
 *
 * @param ofDevices a condition on the deployments that make a change of their build one of releases
 */
const announceRelease = (ofDevices: string): string => `
  CREATE OR REPLACE FUNCTION announce_release() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
    earlier jsonb := to_jsonb(OLD);
    app text := changed ->> TG_ARGV[0];
    topic text := 'releases';
    artifact build_artifacts;
  BEGIN
    IF TG_TABLE_NAME = 'channels' THEN
      -- A device that sends "a+b" may mean "a b", too, and one that sends "c+" may mean "c": the one hides the other.
      IF NOT EXISTS (SELECT FROM deployments WHERE channel_id = (changed ->> 'id')::uuid)
         AND NOT EXISTS (
           SELECT FROM channels WHERE app_id = app::uuid AND id <> (changed ->> 'id')::uuid
              AND btrim(translate(name_lower, '+', ' ')) IN (btrim(translate(changed ->> 'name_lower', '+', ' ')),
                                                             btrim(translate(earlier ->> 'name_lower', '+', ' ')))) THEN
        topic := 'empty_channels';
      END IF;
    ELSIF TG_TABLE_NAME = 'builds' THEN
      IF NOT EXISTS (SELECT FROM deployments WHERE build_id = (changed ->> 'id')::uuid ${ofDevices}) THEN
        RETURN OLD;
      END IF;
    ELSIF TG_TABLE_NAME = 'build_artifacts' THEN
      IF 'ready' NOT IN (changed ->> 'status', coalesce(earlier ->> 'status', ''))
         AND NOT EXISTS (SELECT FROM deployments
                          WHERE build_id IN ((changed ->> 'build_id')::uuid, (earlier ->> 'build_id')::uuid)) THEN
        RETURN OLD;
      END IF;
      SELECT coalesce((SELECT app_id FROM builds WHERE id = (changed ->> 'build_id')::uuid),
                      (SELECT app_id FROM bundles WHERE id = (changed ->> 'id')::uuid)) INTO app;
    ELSIF TG_TABLE_NAME = 'bundles' THEN
      SELECT * INTO artifact FROM build_artifacts WHERE id = (changed ->> 'id')::uuid;
      -- The deletion of an artifact, which deletes its bundle, has been announced if it had to be.
      IF artifact.id IS NULL OR artifact.status <> 'ready'
         AND NOT EXISTS (SELECT FROM deployments WHERE build_id = artifact.build_id) THEN
        RETURN OLD;
      END IF;
    END IF;
    IF app IS NOT NULL THEN
      PERFORM announce(topic, app);
    END IF;
    RETURN OLD;
  END $$`;
