import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps positions apart that a restored database gives again. Those of all events so far belong to the first epoch. */
export class CountEpochs1795500800100 implements MigrationInterface {
  name = 'CountEpochs1795500800100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "event_epochs" (
        "id" uuid NOT NULL,
        "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "event_epochs_pkey" PRIMARY KEY ("id")
      )`);
    await queryRunner.query('ALTER TABLE "events" ADD "epoch" uuid');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE "events" DROP COLUMN "epoch"');
    await queryRunner.query('DROP TABLE "event_epochs"');
  }
}
