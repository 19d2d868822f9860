import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much of the history builds of an app have. */
export class DeepenCheckouts1795500001300 implements MigrationInterface {
  name = 'DeepenCheckouts1795500001300';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "app_repositories" ADD "git_depth" integer NOT NULL DEFAULT 1`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "app_repositories" DROP COLUMN "git_depth"');
  }
}
