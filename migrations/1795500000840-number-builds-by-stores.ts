import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Builds take their numbers from stores, which takes the turn of an edit for a moment. */
export class NumberBuildsByStores1795500000840 implements MigrationInterface {
  name = 'NumberBuildsByStores1795500000840';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE configurations
        DROP CONSTRAINT configurations_build_number_check,
        ADD CONSTRAINT configurations_build_number_check
          CHECK (build_number ~ '^(ci|store|[1-9][0-9]{0,9})$')`);
    await queryRunner.query(`
      ALTER TABLE builds
        ADD store_package_name text,
        ADD store_build_number bigint,
        ADD CONSTRAINT builds_store_build_number_check
          CHECK (store_build_number > 0 AND store_package_name IS NOT NULL OR num_nonnulls(store_build_number, store_package_name) = 0)`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX builds_store_build_number_key
          ON builds (app_id, platform, store_package_name, store_build_number) WHERE store_build_number IS NOT NULL`);
    await queryRunner.query(`
      ALTER TABLE store_turns
        ALTER submission_id DROP NOT NULL,
        ADD reserved_until timestamptz(3),
        ADD CONSTRAINT store_turns_owner_check CHECK (num_nonnulls(submission_id, reserved_until) = 1)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM store_turns WHERE submission_id IS NULL');
    await queryRunner.query(`UPDATE configurations SET build_number = 'ci' WHERE build_number = 'store'`);
    await queryRunner.query('SET CONSTRAINTS ALL IMMEDIATE');
    await queryRunner.query(
      'ALTER TABLE store_turns DROP COLUMN reserved_until, ALTER submission_id SET NOT NULL',
    );
    await queryRunner.query(
      'ALTER TABLE builds DROP COLUMN store_build_number, DROP COLUMN store_package_name',
    );
    await queryRunner.query(`
      ALTER TABLE configurations
        DROP CONSTRAINT configurations_build_number_check,
        ADD CONSTRAINT configurations_build_number_check CHECK (build_number ~ '^(ci|[1-9][0-9]{0,9})$')`);
  }
}
