import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The repositories besides its own that the credential of an app's link is used for. */
export class ListSubmoduleRepositories1795463000001 implements MigrationInterface {
  name = 'ListSubmoduleRepositories1795463000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "app_repositories" ADD "submodule_repositories" text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "app_repositories" DROP COLUMN "submodule_repositories"');
  }
}
