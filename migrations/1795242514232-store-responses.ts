import { MigrationInterface, QueryRunner } from 'typeorm';

export class StoreResponses1795242514232 implements MigrationInterface {
  name = 'StoreResponses1795242514232';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "stored_responses" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "token_id" uuid NOT NULL,
                "route_hash" text NOT NULL,
                "key" text,
                "body_hash" text NOT NULL,
                "status" smallint,
                "sealed_body" text,
                "redelivered_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "stored_responses_token_id_route_hash_key_key" UNIQUE ("token_id", "route_hash", "key"),
                CONSTRAINT "stored_responses_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "stored_responses_created_at_idx" ON "stored_responses" ("created_at")
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP INDEX "public"."stored_responses_created_at_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "stored_responses"
        `);
  }
}
