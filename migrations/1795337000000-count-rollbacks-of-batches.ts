import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** Counts the roll-backs of a statement together, and keeps a bounded number of counts for each device. */
export class CountRollbacksOfBatches1795337000000 implements MigrationInterface {
  name = 'CountRollbacksOfBatches1795337000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(await sqlFile('count-rollbacks-of-batches.sql'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER count_rollbacks ON devices`);
    await queryRunner.query(`DROP FUNCTION count_rollbacks()`);
    const former = await sqlFile('device-rollbacks.sql');
    const start = former.indexOf('CREATE FUNCTION count_rollback()');
    await queryRunner.query(
      former.slice(start, former.indexOf('CREATE FUNCTION delete_rollbacks_of_devices()')),
    );
  }
}
