import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddBundleDeltas1795244696722 implements MigrationInterface {
  name = 'AddBundleDeltas1795244696722';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "bundle_deltas" (
                "to_bundle_id" uuid NOT NULL,
                "from_bundle_id" uuid NOT NULL,
                "blob_id" uuid,
                "claimed_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "bundle_deltas_pkey" PRIMARY KEY ("to_bundle_id", "from_bundle_id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "bundle_deltas_from_bundle_id_idx" ON "bundle_deltas" ("from_bundle_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "bundle_deltas_blob_id_idx" ON "bundle_deltas" ("blob_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_deltas"
            ADD CONSTRAINT "bundle_deltas_to_bundle_id_fkey" FOREIGN KEY ("to_bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_deltas"
            ADD CONSTRAINT "bundle_deltas_from_bundle_id_fkey" FOREIGN KEY ("from_bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_deltas"
            ADD CONSTRAINT "bundle_deltas_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "bundle_deltas" DROP CONSTRAINT "bundle_deltas_blob_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_deltas" DROP CONSTRAINT "bundle_deltas_from_bundle_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_deltas" DROP CONSTRAINT "bundle_deltas_to_bundle_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."bundle_deltas_blob_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."bundle_deltas_from_bundle_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "bundle_deltas"
        `);
  }
}
