import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that import what was built elsewhere. The API itself executes them. */
export class AddImportJobs1795500000300 implements MigrationInterface {
  name = 'AddImportJobs1795500000300';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs DROP CONSTRAINT jobs_kind_check');
    await queryRunner.query(
      `ALTER TABLE jobs ADD CONSTRAINT jobs_kind_check CHECK (kind IN ('build', 'import'))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM jobs WHERE kind = 'import'`);
    await queryRunner.query('SET CONSTRAINTS ALL IMMEDIATE');
    await queryRunner.query('ALTER TABLE jobs DROP CONSTRAINT jobs_kind_check');
    await queryRunner.query(`ALTER TABLE jobs ADD CONSTRAINT jobs_kind_check CHECK (kind = 'build')`);
  }
}
