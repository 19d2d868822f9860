import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTeams1795237031428 implements MigrationInterface {
  name = 'CreateTeams1795237031428';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "teams" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "name" text NOT NULL,
                "name_lower" text NOT NULL,
                "description" text,
                CONSTRAINT "teams_organization_id_name_lower_key" UNIQUE ("organization_id", "name_lower"),
                CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "team_apps" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "team_id" uuid NOT NULL,
                "app_id" uuid NOT NULL,
                CONSTRAINT "team_apps_team_id_app_id_key" UNIQUE ("team_id", "app_id"),
                CONSTRAINT "team_apps_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "team_apps_app_id_idx" ON "team_apps" ("app_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "team_members" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "team_id" uuid NOT NULL,
                "member_id" uuid NOT NULL,
                CONSTRAINT "team_members_team_id_member_id_key" UNIQUE ("team_id", "member_id"),
                CONSTRAINT "team_members_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "team_members_member_id_idx" ON "team_members" ("member_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "teams"
            ADD CONSTRAINT "teams_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "team_apps"
            ADD CONSTRAINT "team_apps_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "team_apps"
            ADD CONSTRAINT "team_apps_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "team_members"
            ADD CONSTRAINT "team_members_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "team_members"
            ADD CONSTRAINT "team_members_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "team_members" DROP CONSTRAINT "team_members_member_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "team_members" DROP CONSTRAINT "team_members_team_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "team_apps" DROP CONSTRAINT "team_apps_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "team_apps" DROP CONSTRAINT "team_apps_team_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "teams" DROP CONSTRAINT "teams_organization_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."team_members_member_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "team_members"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."team_apps_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "team_apps"
        `);
    await queryRunner.query(`
            DROP TABLE "teams"
        `);
  }
}
