import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Manifests of bundles of other servers, which have no build and are known by app; what a device has instead of the uploaded
 * manifest; apps that withhold signed bundles from unknown ones; and plans that are held for unsafe reuse.
 */
export class KnowOtherServersManifests1795440000003 implements MigrationInterface {
  name = 'KnowOtherServersManifests1795440000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "plain_manifests"
        ALTER COLUMN "build_number" DROP NOT NULL,
        ADD "carried" bytea,
        DROP CONSTRAINT "plain_manifests_pkey",
        ADD CONSTRAINT "plain_manifests_pkey" PRIMARY KEY ("app_id", "bundle_id")`);
    await queryRunner.query('DROP INDEX "plain_manifests_app_id_idx"');
    await queryRunner.query(`
      CREATE TRIGGER announce_plain_manifest AFTER INSERT OR DELETE ON plain_manifests
        FOR EACH ROW EXECUTE FUNCTION announce_release('app_id')`);
    await queryRunner.query(
      'ALTER TABLE "apps" ADD "withhold_from_unknown_bundles" boolean NOT NULL DEFAULT false',
    );
    await announceApps(queryRunner, [
      'default_channel_id',
      'custom_id_hashing',
      'withhold_from_unknown_bundles',
    ]);
    await restrictReasons(queryRunner, [...REASONS, 'unsafe-reuse']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE rollout_plans SET reason = 'person' WHERE reason = 'unsafe-reuse'`);
    await queryRunner.query('SET CONSTRAINTS ALL IMMEDIATE');
    await restrictReasons(queryRunner, REASONS);
    await announceApps(queryRunner, ['default_channel_id', 'custom_id_hashing']);
    await queryRunner.query('ALTER TABLE "apps" DROP COLUMN "withhold_from_unknown_bundles"');
    await queryRunner.query('DROP TRIGGER announce_plain_manifest ON plain_manifests');
    await queryRunner.query('DELETE FROM plain_manifests WHERE build_number IS NULL');
    await queryRunner.query('CREATE INDEX "plain_manifests_app_id_idx" ON "plain_manifests" ("app_id")');
    await queryRunner.query(`
      ALTER TABLE "plain_manifests"
        DROP CONSTRAINT "plain_manifests_pkey",
        ADD CONSTRAINT "plain_manifests_pkey" PRIMARY KEY ("bundle_id"),
        DROP COLUMN "carried",
        ALTER COLUMN "build_number" SET NOT NULL`);
  }
}

const REASONS = ['person', 'health-gate', 'share-changed', 'superseded'];

async function restrictReasons(queryRunner: QueryRunner, reasons: readonly string[]): Promise<void> {
  await queryRunner.query(`
    ALTER TABLE "rollout_plans"
      DROP CONSTRAINT "rollout_plans_reason_check",
      ADD CONSTRAINT "rollout_plans_reason_check"
        CHECK (reason IN (${reasons.map((reason) => `'${reason}'`).join(', ')}))`);
}

/** Makes the trigger again that announces changes of apps, for these columns. */
async function announceApps(queryRunner: QueryRunner, columns: readonly string[]): Promise<void> {
  await queryRunner.query('DROP TRIGGER announce_app ON apps');
  await queryRunner.query(`
    CREATE TRIGGER announce_app AFTER INSERT OR DELETE OR UPDATE OF ${columns.join(', ')} ON apps
      FOR EACH ROW EXECUTE FUNCTION announce_release('id')`);
}
