import { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteSecondFactorsOfTokens1795245653194 implements MigrationInterface {
  name = 'NoteSecondFactorsOfTokens1795245653194';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "second_factor_at" TIMESTAMP(3) WITH TIME ZONE
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "second_factor_at"
        `);
  }
}
