import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddSignInLinks1795347185887 implements MigrationInterface {
  name = 'AddSignInLinks1795347185887';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "sign_in_links" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "user_id" uuid NOT NULL,
                "hash" text NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "sign_in_links_hash_key" UNIQUE ("hash"),
                CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "sign_in_links_user_id_idx" ON "sign_in_links" ("user_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "sign_in_links"
            ADD CONSTRAINT "sign_in_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "sign_in_links" DROP CONSTRAINT "sign_in_links_user_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."sign_in_links_user_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "sign_in_links"
        `);
  }
}
