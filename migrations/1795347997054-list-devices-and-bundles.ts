import { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes in the order of the lists of devices and bundles; that of devices also has the columns of its filters. */
export class ListDevicesAndBundles1795347997054 implements MigrationInterface {
  name = 'ListDevicesAndBundles1795347997054';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE INDEX "devices_list_idx" ON "devices" (
                "app_id",
                "last_seen_at",
                "id",
                "channel_id",
                "bundle_id",
                "platform",
                "app_version_code",
                "app_version_name"
            )
        `);
    await queryRunner.query(`
            DROP INDEX "devices_app_id_last_seen_at_id_idx"
        `);
    await queryRunner.query(`
            CREATE INDEX "bundles_app_id_created_at_id_idx" ON "bundles" ("app_id", "created_at", "id")
        `);
    await queryRunner.query(`
            DROP INDEX "bundles_app_id_idx"
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE INDEX "bundles_app_id_idx" ON "bundles" ("app_id")
        `);
    await queryRunner.query(`
            DROP INDEX "bundles_app_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            CREATE INDEX "devices_app_id_last_seen_at_id_idx" ON "devices" ("app_id", "last_seen_at", "id")
        `);
    await queryRunner.query(`
            DROP INDEX "devices_list_idx"
        `);
  }
}
