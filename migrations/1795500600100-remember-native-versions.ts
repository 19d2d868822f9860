import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which native versions enough devices report, and up to which of them a deployment goes. */
export class RememberNativeVersions1795500600100 implements MigrationInterface {
  name = 'RememberNativeVersions1795500600100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE native_versions (
        app_id uuid NOT NULL,
        platform smallint NOT NULL,
        version_code text NOT NULL,
        devices integer NOT NULL,
        days smallint NOT NULL,
        last_day date NOT NULL,
        is_seen boolean NOT NULL,
        first_seen_at timestamptz(3),
        is_news boolean NOT NULL,
        CONSTRAINT native_versions_pkey PRIMARY KEY (app_id, platform, version_code),
        CONSTRAINT native_versions_platform_check CHECK (platform BETWEEN 0 AND 2),
        CONSTRAINT native_versions_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      ALTER TABLE deployments
        ADD max_android_app_version_code text,
        ADD max_ios_app_version_code text,
        ADD max_electron_app_version_code text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE deployments
        DROP COLUMN max_android_app_version_code,
        DROP COLUMN max_ios_app_version_code,
        DROP COLUMN max_electron_app_version_code`);
    await queryRunner.query('DROP TABLE native_versions');
  }
}
