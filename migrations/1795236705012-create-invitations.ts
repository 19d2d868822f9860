import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateInvitations1795236705012 implements MigrationInterface {
  name = 'CreateInvitations1795236705012';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "invitations" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "email" text NOT NULL,
                "role" text NOT NULL,
                "status" text NOT NULL DEFAULT 'pending',
                "inviter_id" uuid,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "invitations_status_check" CHECK (
                    status IN ('accepted', 'canceled', 'pending', 'rejected')
                ),
                CONSTRAINT "invitations_role_check" CHECK (role IN ('admin', 'billing', 'member', 'viewer')),
                CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "invitations_email_idx" ON "invitations" ("email")
        `);
    await queryRunner.query(`
            CREATE INDEX "invitations_inviter_id_idx" ON "invitations" ("inviter_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "invitations_organization_id_created_at_id_idx" ON "invitations" ("organization_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "invitations_pending_key" ON "invitations" ("organization_id", "email")
            WHERE status = 'pending'
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations"
            ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations"
            ADD CONSTRAINT "invitations_inviter_id_fkey" FOREIGN KEY ("inviter_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "invitations" DROP CONSTRAINT "invitations_inviter_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "invitations" DROP CONSTRAINT "invitations_organization_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."invitations_pending_key"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."invitations_organization_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."invitations_inviter_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."invitations_email_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "invitations"
        `);
  }
}
