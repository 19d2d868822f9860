import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Labels that the runners of an app's builds must have. */
export class ChooseRunnersByLabels1795500000100 implements MigrationInterface {
  name = 'ChooseRunnersByLabels1795500000100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "apps" ADD "runner_labels" text[] NOT NULL DEFAULT '{}'
         CONSTRAINT "apps_runner_labels_check" CHECK (cardinality(runner_labels) <= 16)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "apps" DROP COLUMN "runner_labels"');
  }
}
