import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddSessions1795236828852 implements MigrationInterface {
  name = 'AddSessions1795236828852';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "session_codes" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "hash" text NOT NULL,
                "code" text NOT NULL,
                "status" text NOT NULL DEFAULT 'created',
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "address" text NOT NULL,
                "user_agent" text,
                "user_id" uuid,
                CONSTRAINT "session_codes_code_key" UNIQUE ("code"),
                CONSTRAINT "session_codes_hash_key" UNIQUE ("hash"),
                CONSTRAINT "session_codes_user_check" CHECK ((status = 'created') = (user_id IS NULL)),
                CONSTRAINT "session_codes_status_check" CHECK (
                    status IN ('created', 'approved', 'denied', 'consumed')
                ),
                CONSTRAINT "session_codes_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "session_codes_expires_at_idx" ON "session_codes" ("expires_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "session_codes_user_id_idx" ON "session_codes" ("user_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "sessions" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "user_id" uuid NOT NULL,
                "kind" text NOT NULL,
                "hash" text NOT NULL,
                "address" text NOT NULL,
                "user_agent" text,
                "last_used_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "sessions_hash_key" UNIQUE ("hash"),
                CONSTRAINT "sessions_kind_check" CHECK (kind IN ('device', 'browser')),
                CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "sessions_user_id_idx" ON "sessions" ("user_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "session_codes"
            ADD CONSTRAINT "session_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "sessions" DROP CONSTRAINT "sessions_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "session_codes" DROP CONSTRAINT "session_codes_user_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."sessions_user_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "sessions"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."session_codes_user_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."session_codes_expires_at_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "session_codes"
        `);
  }
}
