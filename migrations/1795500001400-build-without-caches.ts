import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Builds can begin with empty caches, and apps can drop theirs. */
export class BuildWithoutCaches1795500001400 implements MigrationInterface {
  name = 'BuildWithoutCaches1795500001400';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE builds ADD no_cache boolean NOT NULL DEFAULT false');
    await queryRunner.query('ALTER TABLE apps ADD build_cache_generation integer NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE apps DROP COLUMN build_cache_generation');
    await queryRunner.query('ALTER TABLE builds DROP COLUMN no_cache');
  }
}
