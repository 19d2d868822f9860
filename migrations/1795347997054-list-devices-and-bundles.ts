import { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './concurrent-indexes.js';

/** Indexes in the order of the lists of devices and bundles; that of devices also has the columns of its filters. */
export class ListDevicesAndBundles1795347997054 implements MigrationInterface {
  name = 'ListDevicesAndBundles1795347997054';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'devices_list_idx',
      `"devices" (
                "app_id",
                "last_seen_at",
                "id",
                "channel_id",
                "bundle_id",
                "platform",
                "app_version_code",
                "app_version_name"
            )`,
    );
    await dropIndexConcurrently(queryRunner, 'devices_app_id_last_seen_at_id_idx');
    await createIndexConcurrently(
      queryRunner,
      'bundles_app_id_created_at_id_idx',
      '"bundles" ("app_id", "created_at", "id")',
    );
    await dropIndexConcurrently(queryRunner, 'bundles_app_id_idx');
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(queryRunner, 'bundles_app_id_idx', '"bundles" ("app_id")');
    await dropIndexConcurrently(queryRunner, 'bundles_app_id_created_at_id_idx');
    await createIndexConcurrently(
      queryRunner,
      'devices_app_id_last_seen_at_id_idx',
      '"devices" ("app_id", "last_seen_at", "id")',
    );
    await dropIndexConcurrently(queryRunner, 'devices_list_idx');
  }
}
