import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['channels', 'destinations'] as const;

/** From which branches and tags automations may send builds to a channel or a destination. */
export class AllowBranches1795500007100 implements MigrationInterface {
  name = 'AllowBranches1795500007100';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await queryRunner.query(`ALTER TABLE ${table} ADD allowed_refs text[] NOT NULL DEFAULT '{}'`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN allowed_refs`);
  }
}
