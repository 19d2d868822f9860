import { MigrationInterface, QueryRunner } from 'typeorm';

export class RecordProofs1795338858375 implements MigrationInterface {
  name = 'RecordProofs1795338858375';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "session_codes"
            ADD "proved_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD "proved_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "method" text
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_method_check" CHECK (method IN ('password', 'oidc'))
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_method_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "method"
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions" DROP COLUMN "proved_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "session_codes" DROP COLUMN "proved_at"
        `);
  }
}
