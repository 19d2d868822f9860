import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers what bundles contain, and lets apps skip what their channels have already. */
export class CompareContent1795500595100 implements MigrationInterface {
  name = 'CompareContent1795500595100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "bundles" ADD "content_digest" text');
    await queryRunner.query('ALTER TABLE "apps" ADD "skip_unchanged" boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "apps" DROP COLUMN "skip_unchanged"');
    await queryRunner.query('ALTER TABLE "bundles" DROP COLUMN "content_digest"');
  }
}
