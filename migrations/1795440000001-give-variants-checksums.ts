import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Variants that exist get theirs when they are made again: see `VariantChecksService`. */
export class GiveVariantsChecksums1795440000001 implements MigrationInterface {
  name = 'GiveVariantsChecksums1795440000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE blob_variants
        ADD COLUMN sha256 text,
        ADD CONSTRAINT blob_variants_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE blob_variants DROP COLUMN sha256');
  }
}
