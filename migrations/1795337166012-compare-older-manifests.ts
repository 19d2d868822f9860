import { MigrationInterface, QueryRunner } from 'typeorm';

export class CompareOlderManifests1795337166012 implements MigrationInterface {
  name = 'CompareOlderManifests1795337166012';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "manifest_comparisons" (
                "bundle_id" uuid NOT NULL,
                "compared" boolean NOT NULL,
                "attempted_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "manifest_comparisons_pkey" PRIMARY KEY ("bundle_id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "plain_manifests"
            ADD "unneeded_since" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "manifest_comparisons"
            ADD CONSTRAINT "manifest_comparisons_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "manifest_comparisons" DROP CONSTRAINT "manifest_comparisons_bundle_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "plain_manifests" DROP COLUMN "unneeded_since"
        `);
    await queryRunner.query(`
            DROP TABLE "manifest_comparisons"
        `);
  }
}
