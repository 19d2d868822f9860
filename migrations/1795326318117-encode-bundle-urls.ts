import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** Percent-encodes the URLs of registered bundles. */
export class EncodeBundleUrls1795326318117 implements MigrationInterface {
  name = 'EncodeBundleUrls1795326318117';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlFile('encode-bundle-urls.sql'));
  }

  /** Does nothing: the URLs mean the same as before. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
