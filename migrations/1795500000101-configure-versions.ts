import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version name and the build number that a configuration overwrites. */
export class ConfigureVersions1795500000101 implements MigrationInterface {
  name = 'ConfigureVersions1795500000101';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "configurations"
         ADD "version_name" text,
         ADD "build_number" text
           CONSTRAINT "configurations_build_number_check" CHECK (build_number ~ '^(ci|[1-9][0-9]{0,9})$')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE "configurations" DROP COLUMN "version_name", DROP COLUMN "build_number"',
    );
  }
}
