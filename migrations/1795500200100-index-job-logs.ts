import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the lines of logs in storage are. */
export class IndexJobLogs1795500200100 implements MigrationInterface {
  name = 'IndexJobLogs1795500200100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE job_logs ADD archive_index jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE job_logs DROP COLUMN archive_index');
  }
}
