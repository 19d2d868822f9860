import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRateCounts1795242547974 implements MigrationInterface {
  name = 'CreateRateCounts1795242547974';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE UNLOGGED TABLE "rate_counts" (
                "window_start" TIMESTAMP(0) WITH TIME ZONE NOT NULL,
                "key" text NOT NULL,
                "count" integer NOT NULL,
                CONSTRAINT "rate_counts_pkey" PRIMARY KEY ("window_start", "key")
            )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP TABLE "rate_counts"
        `);
  }
}
