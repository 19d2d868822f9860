import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddPasswordsAndSecondFactors1795237691358 implements MigrationInterface {
  name = 'AddPasswordsAndSecondFactors1795237691358';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "passwords" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "user_id" uuid NOT NULL,
                "hash" text NOT NULL,
                CONSTRAINT "passwords_user_id_key" UNIQUE ("user_id"),
                CONSTRAINT "passwords_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "sign_in_attempts" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "key" text NOT NULL,
                "failures" integer NOT NULL,
                "blocked_until" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "succeeded_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "sign_in_attempts_key_key" UNIQUE ("key"),
                CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "sign_in_attempts_updated_at_idx" ON "sign_in_attempts" ("updated_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "recovery_codes" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "user_id" uuid NOT NULL,
                "hash" text NOT NULL,
                CONSTRAINT "recovery_codes_user_id_hash_key" UNIQUE ("user_id", "hash"),
                CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "two_factors" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "user_id" uuid NOT NULL,
                "secret" text NOT NULL,
                "last_step" integer NOT NULL,
                CONSTRAINT "two_factors_user_id_key" UNIQUE ("user_id"),
                CONSTRAINT "two_factors_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "passwords"
            ADD CONSTRAINT "passwords_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "recovery_codes"
            ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "two_factors"
            ADD CONSTRAINT "two_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "two_factors" DROP CONSTRAINT "two_factors_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "recovery_codes" DROP CONSTRAINT "recovery_codes_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "passwords" DROP CONSTRAINT "passwords_user_id_fkey"
        `);
    await queryRunner.query(`
            DROP TABLE "two_factors"
        `);
    await queryRunner.query(`
            DROP TABLE "recovery_codes"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."sign_in_attempts_updated_at_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "sign_in_attempts"
        `);
    await queryRunner.query(`
            DROP TABLE "passwords"
        `);
  }
}
