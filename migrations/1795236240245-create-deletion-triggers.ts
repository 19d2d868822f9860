import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** Creates the triggers that note deleted objects and protect bundles under legal hold. */
export class CreateDeletionTriggers1795236240245 implements MigrationInterface {
  name = 'CreateDeletionTriggers1795236240245';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlFile('deletions.sql'));
  }

  /** @throws Error always: the schema of the first release has no older one */
  down(): Promise<void> {
    return Promise.reject(new Error('The first schema cannot be reverted: drop the database.'));
  }
}
