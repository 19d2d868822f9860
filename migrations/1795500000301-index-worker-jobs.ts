import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './concurrent-indexes.js';

/** Jobs that the API itself executes and that have not ended: an app may have so many, and some wait too long. */
export class IndexWorkerJobs1795500000301 implements MigrationInterface {
  name = 'IndexWorkerJobs1795500000301';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'jobs_for_workers_idx',
      `jobs (app_id, created_at) WHERE status IN ('queued', 'pending', 'in_progress') AND NOT kind IN ('build')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, 'jobs_for_workers_idx');
  }
}
