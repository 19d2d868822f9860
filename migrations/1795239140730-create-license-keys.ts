import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateLicenseKeys1795239140730 implements MigrationInterface {
  name = 'CreateLicenseKeys1795239140730';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "license_keys" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "name" text NOT NULL,
                "key_hash" text NOT NULL,
                "sealed_key" text NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "packages_changed_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                CONSTRAINT "license_keys_key_hash_key" UNIQUE ("key_hash"),
                CONSTRAINT "license_keys_sealed_key_check" CHECK (sealed_key LIKE 'v1.%'),
                CONSTRAINT "license_keys_key_hash_check" CHECK (char_length(key_hash) = 64),
                CONSTRAINT "license_keys_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "license_keys_organization_id_idx" ON "license_keys" ("organization_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "license_key_packages" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "license_key_id" uuid NOT NULL,
                "package_id" uuid NOT NULL,
                CONSTRAINT "license_key_packages_license_key_id_package_id_key" UNIQUE ("license_key_id", "package_id"),
                CONSTRAINT "license_key_packages_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            ALTER TABLE "license_keys"
            ADD CONSTRAINT "license_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "license_key_packages"
            ADD CONSTRAINT "license_key_packages_license_key_id_fkey" FOREIGN KEY ("license_key_id") REFERENCES "license_keys"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "license_key_packages" DROP CONSTRAINT "license_key_packages_license_key_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "license_keys" DROP CONSTRAINT "license_keys_organization_id_fkey"
        `);
    await queryRunner.query(`
            DROP TABLE "license_key_packages"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."license_keys_organization_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "license_keys"
        `);
  }
}
