import { MigrationInterface, QueryRunner } from 'typeorm';

export class VerifyPublishedBytes1795244940607 implements MigrationInterface {
  name = 'VerifyPublishedBytes1795244940607';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "public_keys" text array NOT NULL DEFAULT '{}'
        `);
    // The server has computed the checksum of what there is when it was uploaded, and has not read it since.
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD "verified_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now()
        `);
    await queryRunner.query(`
            UPDATE "blobs"
            SET "verified_at" = "created_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD "damaged_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD "damage" text
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD "scrub_started_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD CONSTRAINT "blobs_damage_check" CHECK (damage IN ('missing', 'size', 'checksum'))
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD CONSTRAINT "blobs_damaged_at_check" CHECK ((damaged_at IS NULL) = (damage IS NULL))
        `);
    await queryRunner.query(`
            CREATE INDEX "blobs_verified_at_idx" ON "blobs" ("verified_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "blobs_damaged_at_idx" ON "blobs" ("damaged_at")
            WHERE damaged_at IS NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD "sequence" BIGSERIAL NOT NULL
        `);
    // What was deployed before keeps its order, which was that of the clock. Nobody has changed anything by that.
    await queryRunner.query(`
            ALTER TABLE "deployments" DISABLE TRIGGER USER
        `);
    await queryRunner.query(`
            UPDATE "deployments"
            SET "sequence" = numbered.number
            FROM (
                SELECT "id", row_number() OVER (ORDER BY "created_at", "id") AS number
                FROM "deployments"
            ) AS numbered
            WHERE numbered."id" = "deployments"."id"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" ENABLE TRIGGER USER
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_channel_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_app_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_channel_id_sequence_idx" ON "deployments" ("channel_id", "sequence")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_app_id_sequence_idx" ON "deployments" ("app_id", "sequence")
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP INDEX "public"."deployments_app_id_sequence_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_channel_id_sequence_idx"
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_app_id_created_at_id_idx" ON "deployments" ("app_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_channel_id_created_at_id_idx" ON "deployments" ("channel_id", "created_at", "id")
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP COLUMN "sequence"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."blobs_damaged_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."blobs_verified_at_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP CONSTRAINT "blobs_damaged_at_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP CONSTRAINT "blobs_damage_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP COLUMN "scrub_started_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP COLUMN "damage"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP COLUMN "damaged_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP COLUMN "verified_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "public_keys"
        `);
  }
}
