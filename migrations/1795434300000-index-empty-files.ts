import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './concurrent-indexes.js';

/** Release tables say which bundles have empty files; most have few or none of them. */
export class IndexEmptyFiles1795434300000 implements MigrationInterface {
  name = 'IndexEmptyFiles1795434300000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'bundle_files_empty_idx',
      'bundle_files (bundle_id) WHERE size_in_bytes = 0',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(queryRunner, 'bundle_files_empty_idx');
  }
}
