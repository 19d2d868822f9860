import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddFailureSummaries1795374642113 implements MigrationInterface {
  name = 'AddFailureSummaries1795374642113';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "job_logs"
            ADD "failure_summary" text
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "job_logs" DROP COLUMN "failure_summary"
        `);
  }
}
