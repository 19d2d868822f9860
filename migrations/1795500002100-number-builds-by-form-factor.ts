import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Build numbers from stores are those of the devices that a build is for, above an offset. */
export class NumberBuildsByFormFactor1795500002100 implements MigrationInterface {
  name = 'NumberBuildsByFormFactor1795500002100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE configurations
        ADD build_number_offset integer,
        ADD form_factor text,
        ADD CONSTRAINT configurations_build_number_offset_check CHECK (build_number_offset BETWEEN 1 AND 2099999999),
        ADD CONSTRAINT configurations_form_factor_check CHECK (form_factor IN ('phone', 'wear', 'tv', 'automotive'))`);
    await queryRunner.query(`
      ALTER TABLE builds
        ADD store_form_factor text,
        ADD CONSTRAINT builds_store_form_factor_check
          CHECK (store_form_factor IN ('phone', 'wear', 'tv', 'automotive'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE builds DROP COLUMN store_form_factor');
    await queryRunner.query(
      'ALTER TABLE configurations DROP COLUMN form_factor, DROP COLUMN build_number_offset',
    );
  }
}
