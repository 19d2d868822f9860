import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users that an operator disables, and links with which users set a new password. */
export class DisableUsers1795463000010 implements MigrationInterface {
  name = 'DisableUsers1795463000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "users" ADD "disabled_at" timestamptz(3)');
    await queryRunner.query(
      `ALTER TABLE "sign_in_links" ADD "purpose" text NOT NULL DEFAULT 'first-password'
         CONSTRAINT "sign_in_links_purpose_check" CHECK (purpose IN ('first-password', 'new-password'))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "sign_in_links" DROP COLUMN "purpose"');
    await queryRunner.query('ALTER TABLE "users" DROP COLUMN "disabled_at"');
  }
}
