import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations that the operator has suspended, with the reason, and when a suspension ended last. */
export class SuspendOrganizations1795500001200 implements MigrationInterface {
  name = 'SuspendOrganizations1795500001200';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "organizations"
        ADD "suspended_at" TIMESTAMP(3) WITH TIME ZONE,
        ADD "suspension_reason" text,
        ADD "resumed_at" TIMESTAMP(3) WITH TIME ZONE,
        ADD CONSTRAINT "organizations_suspension_reason_check"
          CHECK (suspension_reason IS NULL OR suspended_at IS NOT NULL)`);
    await queryRunner.query(
      'CREATE INDEX "organizations_suspended_idx" ON "organizations" ("id") WHERE suspended_at IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "organizations"
        DROP COLUMN "suspended_at", DROP COLUMN "suspension_reason", DROP COLUMN "resumed_at"`);
  }
}
