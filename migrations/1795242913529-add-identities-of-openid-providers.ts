import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddIdentitiesOfOpenidProviders1795242913529 implements MigrationInterface {
  name = 'AddIdentitiesOfOpenidProviders1795242913529';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "user_identities" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "user_id" uuid NOT NULL,
                "issuer" text NOT NULL,
                "subject" text NOT NULL,
                CONSTRAINT "user_identities_user_id_issuer_key" UNIQUE ("user_id", "issuer"),
                CONSTRAINT "user_identities_issuer_subject_key" UNIQUE ("issuer", "subject"),
                CONSTRAINT "user_identities_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "session_codes"
            ADD "method" text
        `);
    await queryRunner.query(`
            ALTER TABLE "session_codes"
            ADD "second_factor_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD "method" text NOT NULL DEFAULT 'password'
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD "second_factor_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "members"
            ADD "from_groups" boolean NOT NULL DEFAULT false
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions"
            ADD CONSTRAINT "sessions_method_check" CHECK (method IN ('password', 'oidc'))
        `);
    await queryRunner.query(`
            ALTER TABLE "user_identities"
            ADD CONSTRAINT "user_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            CALL audit_table('user_identities', '{"type":"user-identity","organization":"user","user":"user_id","name":"subject"}')
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "user_identities" DROP CONSTRAINT "user_identities_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions" DROP CONSTRAINT "sessions_method_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "members" DROP COLUMN "from_groups"
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions" DROP COLUMN "second_factor_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "sessions" DROP COLUMN "method"
        `);
    await queryRunner.query(`
            ALTER TABLE "session_codes" DROP COLUMN "second_factor_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "session_codes" DROP COLUMN "method"
        `);
    await queryRunner.query(`
            DROP TABLE "user_identities"
        `);
  }
}
