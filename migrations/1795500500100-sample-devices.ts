import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './concurrent-indexes.js';

/** Finds one device in 64, from which the devices of large apps are estimated. */
export class SampleDevices1795500500100 implements MigrationInterface {
  name = 'SampleDevices1795500500100';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      INDEX,
      '"devices" ("app_id", "last_seen_at") WHERE (hashtextextended(id, 0) & 63) = 0',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, INDEX);
  }
}

const INDEX = 'devices_sample_idx';
