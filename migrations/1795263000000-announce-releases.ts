import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** Creates the triggers that announce changes of releases. */
export class AnnounceReleases1795263000000 implements MigrationInterface {
  name = 'AnnounceReleases1795263000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlFile('announce-releases.sql'));
  }

  /** @throws Error always: the schema of the first release has no older one */
  down(): Promise<void> {
    return Promise.reject(new Error('The first schema cannot be reverted: drop the database.'));
  }
}
