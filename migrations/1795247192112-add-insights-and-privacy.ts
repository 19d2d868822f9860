import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddInsightsAndPrivacy1795247192112 implements MigrationInterface {
  name = 'AddInsightsAndPrivacy1795247192112';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "custom_id_keys" (
                "id" uuid NOT NULL,
                "sealed_key" text NOT NULL,
                CONSTRAINT "custom_id_keys_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "device_counts" (
                "app_id" uuid NOT NULL,
                "dimension" text NOT NULL,
                "day" date NOT NULL,
                "others" boolean NOT NULL,
                "value" text NOT NULL,
                "daily" integer NOT NULL,
                "weekly" integer NOT NULL,
                "monthly" integer NOT NULL,
                CONSTRAINT "device_counts_pkey" PRIMARY KEY ("app_id", "dimension", "day", "others", "value")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "download_counts" (
                "artifact_id" uuid NOT NULL,
                "day" date NOT NULL,
                "kind" text NOT NULL,
                "app_id" uuid NOT NULL,
                "downloads" bigint NOT NULL,
                "bytes" bigint NOT NULL,
                CONSTRAINT "download_counts_pkey" PRIMARY KEY ("artifact_id", "day", "kind")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "download_counts_app_id_day_idx" ON "download_counts" ("app_id", "day")
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "custom_id_hashing" boolean NOT NULL DEFAULT false
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "device_retention_days" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD "custom_id_hashed" boolean NOT NULL DEFAULT false
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD "bundle_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD "seen_days" bigint NOT NULL DEFAULT '1'
        `);
    // What was seen before today is known of the last time only, so counting begins with today.
    await queryRunner.query(`
            INSERT INTO device_counts (app_id, dimension, day, others, value, daily, weekly, monthly)
            SELECT id, 'start', (now() AT TIME ZONE 'UTC')::date - 1, false, '', 0, 0, 0 FROM apps
        `);
    await queryRunner.query(`
            CREATE INDEX "devices_app_id_custom_id_idx" ON "devices" ("app_id", "custom_id")
            WHERE custom_id IS NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_device_retention_days_check" CHECK (
                    device_retention_days BETWEEN 1 AND 3650
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "custom_id_keys"
            ADD CONSTRAINT "custom_id_keys_id_fkey" FOREIGN KEY ("id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "device_counts"
            ADD CONSTRAINT "device_counts_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "download_counts"
            ADD CONSTRAINT "download_counts_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "download_counts" DROP CONSTRAINT "download_counts_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "device_counts" DROP CONSTRAINT "device_counts_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "custom_id_keys" DROP CONSTRAINT "custom_id_keys_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_device_retention_days_check"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."devices_app_id_custom_id_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP COLUMN "seen_days"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP COLUMN "bundle_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP COLUMN "custom_id_hashed"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "device_retention_days"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "custom_id_hashing"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."download_counts_app_id_day_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "download_counts"
        `);
    await queryRunner.query(`
            DROP TABLE "device_counts"
        `);
    await queryRunner.query(`
            DROP TABLE "custom_id_keys"
        `);
  }
}
