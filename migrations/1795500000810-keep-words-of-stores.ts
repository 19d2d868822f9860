import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What stores said when they refused a submission, for the history of its release. */
export class KeepWordsOfStores1795500000810 implements MigrationInterface {
  name = 'KeepWordsOfStores1795500000810';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE submissions ADD store_message text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE submissions DROP COLUMN store_message');
  }
}
