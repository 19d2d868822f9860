import type { MigrationInterface, QueryRunner } from 'typeorm';

/** They noted what versions that were never released had not compared. */
export class DropManifestComparisons1795413247000 implements MigrationInterface {
  name = 'DropManifestComparisons1795413247000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "manifest_comparisons"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "manifest_comparisons" (
        "bundle_id" uuid NOT NULL,
        "compared" boolean NOT NULL,
        "attempted_at" TIMESTAMP(3) WITH TIME ZONE,
        CONSTRAINT "manifest_comparisons_pkey" PRIMARY KEY ("bundle_id"),
        CONSTRAINT "manifest_comparisons_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles" ("id") ON DELETE CASCADE
      )`);
  }
}
