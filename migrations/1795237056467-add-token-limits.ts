import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTokenLimits1795237056467 implements MigrationInterface {
  name = 'AddTokenLimits1795237056467';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "last_four" text
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "previous_hash" text
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_previous_hash_key" UNIQUE ("previous_hash")
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "previous_expires_at" TIMESTAMP(3) WITH TIME ZONE
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "permissions" jsonb NOT NULL DEFAULT '"all"'
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "organization_ids" uuid array
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "app_ids" uuid array
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "last_used_address" text
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD "last_used_client" text
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_last_used_client_check" CHECK (char_length(last_used_client) <= 255)
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_app_ids_check" CHECK (cardinality(app_ids) > 0)
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_organization_ids_check" CHECK (cardinality(organization_ids) > 0)
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_permissions_check" CHECK (
                    permissions IN ('"all"', '"read-only"')
                    OR (
                        jsonb_typeof(permissions) = 'array'
                        AND permissions <> '[]'
                    )
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_last_four_check" CHECK (char_length(last_four) = 4)
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_previous_hash_check" CHECK (
                    (previous_hash IS NULL) = (previous_expires_at IS NULL)
                )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_previous_hash_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_last_four_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_permissions_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_organization_ids_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_app_ids_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_last_used_client_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "last_used_client"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "last_used_address"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "app_ids"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "organization_ids"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "permissions"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "previous_expires_at"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_previous_hash_key"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "previous_hash"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP COLUMN "last_four"
        `);
  }
}
