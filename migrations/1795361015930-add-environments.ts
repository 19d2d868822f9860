import { MigrationInterface, QueryRunner } from 'typeorm';

const createdAndUpdatedBy = { created_by_user_id: 'createdBy', updated_by_user_id: 'updatedBy' };

/**
 * The log hides values of variables, too: it cannot be changed, and a variable may hold by mistake what should have been a
 * secret.
 */
const audited = [
  ['environments', { type: 'environment', organization: 'app', name: 'name', ignored: ['name_lower'] }],
  [
    'environment_variables',
    {
      type: 'environment-variable',
      organization: 'app',
      name: 'key',
      secret: ['value'],
      renamed: { environment_id: 'appEnvironmentId' },
    },
  ],
  [
    'environment_secrets',
    {
      type: 'environment-secret',
      organization: 'app',
      name: 'key',
      secret: ['sealed_value'],
      renamed: { environment_id: 'appEnvironmentId', sealed_value: 'value' },
    },
  ],
  [
    'configurations',
    {
      type: 'configuration',
      organization: 'app',
      name: 'name',
      ignored: ['name_lower'],
      renamed: createdAndUpdatedBy,
    },
  ],
  [
    'certificates',
    {
      type: 'certificate',
      organization: 'app',
      name: 'name',
      ignored: ['name_lower'],
      secret: ['sealed_file', 'sealed_password', 'sealed_key_password'],
      renamed: {
        ...createdAndUpdatedBy,
        sealed_file: 'file',
        sealed_password: 'password',
        sealed_key_password: 'keyPassword',
      },
    },
  ],
] as const;

export class AddEnvironments1795361015930 implements MigrationInterface {
  name = 'AddEnvironments1795361015930';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "certificates" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "name" text NOT NULL,
                "name_lower" text NOT NULL,
                "platform" text NOT NULL,
                "type" text NOT NULL,
                "file_name" text NOT NULL,
                "file_mime_type" text NOT NULL,
                "file_size_in_bytes" integer NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "key_alias" text,
                "sealed_file" text NOT NULL,
                "sealed_password" text,
                "sealed_key_password" text,
                "allowed_refs" text array NOT NULL DEFAULT '{}',
                "protected" boolean NOT NULL DEFAULT false,
                "created_by_user_id" uuid,
                "updated_by_user_id" uuid,
                CONSTRAINT "certificates_app_id_platform_type_name_lower_key" UNIQUE ("app_id", "platform", "type", "name_lower"),
                CONSTRAINT "certificates_platform_check" CHECK (platform IN ('android', 'ios', 'web')),
                CONSTRAINT "certificates_type_check" CHECK (type IN ('development', 'production')),
                CONSTRAINT "certificates_sealed_key_password_check" CHECK (sealed_key_password LIKE 'v1.%'),
                CONSTRAINT "certificates_sealed_password_check" CHECK (sealed_password LIKE 'v1.%'),
                CONSTRAINT "certificates_sealed_file_check" CHECK (sealed_file LIKE 'v1.%'),
                CONSTRAINT "certificates_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "certificates_created_by_user_id_idx" ON "certificates" ("created_by_user_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "certificates_updated_by_user_id_idx" ON "certificates" ("updated_by_user_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "certificates_app_id_name_lower_idx" ON "certificates" ("app_id", "name_lower")
        `);
    await queryRunner.query(`
            CREATE TABLE "configurations" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "name" text NOT NULL,
                "name_lower" text NOT NULL,
                "display_name" text,
                "package_name" text,
                "created_by_user_id" uuid,
                "updated_by_user_id" uuid,
                CONSTRAINT "configurations_app_id_name_lower_key" UNIQUE ("app_id", "name_lower"),
                CONSTRAINT "configurations_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "configurations_created_by_user_id_idx" ON "configurations" ("created_by_user_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "configurations_updated_by_user_id_idx" ON "configurations" ("updated_by_user_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "environments" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "name" text NOT NULL,
                "name_lower" text NOT NULL,
                "allowed_refs" text array NOT NULL DEFAULT '{}',
                "protected" boolean NOT NULL DEFAULT false,
                CONSTRAINT "environments_app_id_name_lower_key" UNIQUE ("app_id", "name_lower"),
                CONSTRAINT "environments_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "environment_secrets" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "environment_id" uuid NOT NULL,
                "key" text NOT NULL,
                "sealed_value" text NOT NULL,
                "masked" boolean NOT NULL,
                CONSTRAINT "environment_secrets_environment_id_key_key" UNIQUE ("environment_id", "key"),
                CONSTRAINT "environment_secrets_sealed_value_check" CHECK (sealed_value LIKE 'v1.%'),
                CONSTRAINT "environment_secrets_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "environment_secrets_app_id_idx" ON "environment_secrets" ("app_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "environment_variables" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "environment_id" uuid NOT NULL,
                "key" text NOT NULL,
                "value" text NOT NULL,
                CONSTRAINT "environment_variables_environment_id_key_key" UNIQUE ("environment_id", "key"),
                CONSTRAINT "environment_variables_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "environment_variables_app_id_idx" ON "environment_variables" ("app_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "app_environment_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "build_stack" text
        `);
    await queryRunner.query(`
            CREATE INDEX "apps_app_environment_id_idx" ON "apps" ("app_environment_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_build_stack_check" CHECK (build_stack IN ('macos-sequoia', 'macos-tahoe'))
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_app_environment_id_fkey" FOREIGN KEY ("app_environment_id") REFERENCES "environments"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "certificates"
            ADD CONSTRAINT "certificates_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "certificates"
            ADD CONSTRAINT "certificates_created_by_user_id_fkey" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "certificates"
            ADD CONSTRAINT "certificates_updated_by_user_id_fkey" FOREIGN KEY ("updated_by_user_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "configurations"
            ADD CONSTRAINT "configurations_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "configurations"
            ADD CONSTRAINT "configurations_created_by_user_id_fkey" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "configurations"
            ADD CONSTRAINT "configurations_updated_by_user_id_fkey" FOREIGN KEY ("updated_by_user_id") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "environments"
            ADD CONSTRAINT "environments_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_secrets"
            ADD CONSTRAINT "environment_secrets_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_secrets"
            ADD CONSTRAINT "environment_secrets_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_variables"
            ADD CONSTRAINT "environment_variables_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_variables"
            ADD CONSTRAINT "environment_variables_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    for (const [table, options] of audited) {
      await queryRunner.query(`CALL audit_table('${table}', '${JSON.stringify(options)}')`);
    }
    await queryRunner.query(`
            ALTER TABLE "activities" DROP CONSTRAINT "activities_kind_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "activities"
            ADD CONSTRAINT "activities_kind_check" CHECK (
                    kind IN (
                        'devices-erased',
                        'devices-exported',
                        'audit-log-exported',
                        'license-keys-read',
                        'environment-secrets-read',
                        'certificate-read',
                        'call-refused'
                    )
                )
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    // They are kept for a day only; the log keeps its events.
    await queryRunner.query(`
            DELETE FROM "activities" WHERE kind IN ('environment-secrets-read', 'certificate-read')
        `);
    await queryRunner.query(`
            SET CONSTRAINTS ALL IMMEDIATE
        `);
    await queryRunner.query(`
            ALTER TABLE "activities" DROP CONSTRAINT "activities_kind_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "activities"
            ADD CONSTRAINT "activities_kind_check" CHECK (
                    kind IN (
                        'devices-erased',
                        'devices-exported',
                        'audit-log-exported',
                        'license-keys-read',
                        'call-refused'
                    )
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_variables" DROP CONSTRAINT "environment_variables_environment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_variables" DROP CONSTRAINT "environment_variables_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_secrets" DROP CONSTRAINT "environment_secrets_environment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "environment_secrets" DROP CONSTRAINT "environment_secrets_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "environments" DROP CONSTRAINT "environments_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "configurations" DROP CONSTRAINT "configurations_updated_by_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "configurations" DROP CONSTRAINT "configurations_created_by_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "configurations" DROP CONSTRAINT "configurations_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "certificates" DROP CONSTRAINT "certificates_updated_by_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "certificates" DROP CONSTRAINT "certificates_created_by_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "certificates" DROP CONSTRAINT "certificates_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_app_environment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_build_stack_check"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."apps_app_environment_id_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "build_stack"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "app_environment_id"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."environment_variables_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "environment_variables"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."environment_secrets_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "environment_secrets"
        `);
    await queryRunner.query(`
            DROP TABLE "environments"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."configurations_updated_by_user_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."configurations_created_by_user_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "configurations"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."certificates_app_id_name_lower_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."certificates_updated_by_user_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."certificates_created_by_user_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "certificates"
        `);
  }
}
