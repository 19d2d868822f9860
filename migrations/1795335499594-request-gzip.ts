import { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** Apart from `CompressWithGzip`, whose locks would keep downloads waiting meanwhile. */
export class RequestGzip1795335499594 implements MigrationInterface {
  name = 'RequestGzip1795335499594';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlFile('request-gzip.sql'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DELETE FROM blob_variants WHERE encoding = 'gzip' AND state = 'pending'
        `);
  }
}
