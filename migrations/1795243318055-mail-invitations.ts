import { MigrationInterface, QueryRunner } from 'typeorm';

export class MailInvitations1795243318055 implements MigrationInterface {
  name = 'MailInvitations1795243318055';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "invitations"
            ADD "mailed_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations"
            ADD "mail_error" text
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "invitations" DROP COLUMN "mail_error"
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations" DROP COLUMN "mailed_at"
        `);
  }
}
