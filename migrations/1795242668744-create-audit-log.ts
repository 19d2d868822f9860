import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** Creates the audit log: its tables, functions and triggers. */
export class CreateAuditLog1795242668744 implements MigrationInterface {
  name = 'CreateAuditLog1795242668744';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlFile('audit-log.sql'));
  }

  /** @throws Error always: the schema of the first release has no older one */
  down(): Promise<void> {
    return Promise.reject(new Error('The first schema cannot be reverted: drop the database.'));
  }
}
