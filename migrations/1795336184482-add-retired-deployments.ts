import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddRetiredDeployments1795336184482 implements MigrationInterface {
  name = 'AddRetiredDeployments1795336184482';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "retired_deployments" (
                "channel_id" uuid NOT NULL,
                "bundle_id" uuid NOT NULL,
                "app_id" uuid NOT NULL,
                "sequence" bigint NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "retired_deployments_pkey" PRIMARY KEY ("channel_id", "bundle_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "retired_deployments_app_id_idx" ON "retired_deployments" ("app_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "retired_deployments"
            ADD CONSTRAINT "retired_deployments_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            CREATE TRIGGER announce_retired_deployment AFTER INSERT OR UPDATE OR DELETE ON retired_deployments
              FOR EACH ROW
              EXECUTE FUNCTION announce_release('app_id')
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "retired_deployments" DROP CONSTRAINT "retired_deployments_app_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."retired_deployments_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "retired_deployments"
        `);
  }
}
