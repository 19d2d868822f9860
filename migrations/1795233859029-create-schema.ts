import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** Creates the tables. */
export class CreateSchema1795233859029 implements MigrationInterface {
  name = 'CreateSchema1795233859029';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlFile('schema.sql'));
  }

  /** @throws Error always: the schema of the first release has no older one */
  down(): Promise<void> {
    return Promise.reject(new Error('The first schema cannot be reverted: drop the database.'));
  }
}
