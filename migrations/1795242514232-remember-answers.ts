import { MigrationInterface, QueryRunner } from 'typeorm';

export class RememberAnswers1795242514232 implements MigrationInterface {
  name = 'RememberAnswers1795242514232';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "idempotency_keys" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "token_id" uuid NOT NULL,
                "route" text NOT NULL,
                "key" text NOT NULL,
                "body_hash" text NOT NULL,
                "status" smallint,
                "answer" text,
                CONSTRAINT "idempotency_keys_token_id_route_key_key" UNIQUE ("token_id", "route", "key"),
                CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys" ("created_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "unconfirmed_answers" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "fingerprint" text NOT NULL,
                "status" smallint NOT NULL,
                "answer" text,
                "taken_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "unconfirmed_answers_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "unconfirmed_answers_created_at_idx" ON "unconfirmed_answers" ("created_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "unconfirmed_answers_fingerprint_idx" ON "unconfirmed_answers" ("fingerprint")
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            DROP INDEX "public"."unconfirmed_answers_fingerprint_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."unconfirmed_answers_created_at_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "unconfirmed_answers"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."idempotency_keys_created_at_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "idempotency_keys"
        `);
  }
}
