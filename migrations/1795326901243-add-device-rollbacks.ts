import { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

export class AddDeviceRollbacks1795326901243 implements MigrationInterface {
  name = 'AddDeviceRollbacks1795326901243';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "device_rollbacks" (
                "id" uuid NOT NULL,
                "app_id" uuid NOT NULL,
                "device_id" text NOT NULL,
                "bundle_id" uuid NOT NULL,
                "app_version_code" text NOT NULL,
                "key" bytea NOT NULL,
                "count" integer NOT NULL,
                "last_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "device_rollbacks_key" UNIQUE (
                    "app_id",
                    "device_id",
                    "bundle_id",
                    "app_version_code"
                ),
                CONSTRAINT "device_rollbacks_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "device_rollbacks_bundle_id_idx" ON "device_rollbacks" ("bundle_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "device_rollbacks_app_id_last_at_idx" ON "device_rollbacks" ("app_id", "last_at")
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD "rollback_limit" integer DEFAULT '2'
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD "rollbacks_cleared_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD CONSTRAINT "channels_rollback_limit_check" CHECK (
                    rollback_limit BETWEEN 1 AND 100
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "device_rollbacks"
            ADD CONSTRAINT "device_rollbacks_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "device_rollbacks"
            ADD CONSTRAINT "device_rollbacks_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(await sqlFile('device-rollbacks.sql'));
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP TRIGGER count_rollback ON devices;
            DROP TRIGGER delete_rollbacks_of_devices ON devices;
            DROP TRIGGER clear_rollbacks ON bundles
        `);
    await queryRunner.query(`
            ALTER TABLE "device_rollbacks" DROP CONSTRAINT "device_rollbacks_bundle_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "device_rollbacks" DROP CONSTRAINT "device_rollbacks_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP CONSTRAINT "channels_rollback_limit_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP COLUMN "rollbacks_cleared_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP COLUMN "rollback_limit"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."device_rollbacks_app_id_last_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."device_rollbacks_bundle_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "device_rollbacks"
        `);
    await queryRunner.query(`
            DROP FUNCTION count_rollback();
            DROP FUNCTION delete_rollbacks_of_devices();
            DROP FUNCTION clear_rollbacks();
            DROP FUNCTION announce_rollbacks()
        `);
  }
}
