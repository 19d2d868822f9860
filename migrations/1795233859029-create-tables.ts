import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateTables1795233859029 implements MigrationInterface {
  name = 'CreateTables1795233859029';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "users" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "email" text NOT NULL,
                "email_verified" boolean NOT NULL DEFAULT false,
                "name" text,
                "image" text,
                "two_factor_enabled" boolean NOT NULL DEFAULT false,
                "last_seen_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "users_email_key" UNIQUE ("email"),
                CONSTRAINT "users_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "tokens" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "user_id" uuid NOT NULL,
                "name" text NOT NULL,
                "hash" text NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "last_used_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "tokens_hash_key" UNIQUE ("hash"),
                CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "tokens_user_id_idx" ON "tokens" ("user_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "organizations" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "name" text NOT NULL,
                "slug" text NOT NULL,
                "logo" text,
                "country_allowlist" text array,
                "ip_allowlist" text array,
                "two_factor_required" boolean NOT NULL DEFAULT false,
                CONSTRAINT "organizations_slug_key" UNIQUE ("slug"),
                CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "apps" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "name" text NOT NULL,
                "type" text NOT NULL,
                "default_channel_id" uuid,
                "channel_discovery_enabled" boolean NOT NULL DEFAULT false,
                "next_build_number" integer NOT NULL DEFAULT '1',
                "last_build_number" integer NOT NULL DEFAULT '0',
                CONSTRAINT "apps_next_build_number_check" CHECK (next_build_number > last_build_number),
                CONSTRAINT "apps_type_check" CHECK (
                    type IN ('android', 'capacitor', 'cordova', 'ios')
                ),
                CONSTRAINT "apps_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "apps_default_channel_id_idx" ON "apps" ("default_channel_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "apps_organization_id_name_idx" ON "apps" ("organization_id", "name")
        `);
    await queryRunner.query(`
            CREATE TABLE "blobs" (
                "id" uuid NOT NULL,
                "organization_id" uuid NOT NULL,
                "sha256" text NOT NULL,
                "size_in_bytes" bigint NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "blobs_organization_id_sha256_key" UNIQUE ("organization_id", "sha256"),
                CONSTRAINT "blobs_size_in_bytes_check" CHECK (size_in_bytes >= 0),
                CONSTRAINT "blobs_sha256_check" CHECK (sha256 ~ '^[0-9a-f]{64}$'),
                CONSTRAINT "blobs_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "builds" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "number" integer NOT NULL,
                "platform" text NOT NULL,
                "type" text,
                "git_ref" text,
                "git_commit_message" text,
                "git_commit_ref" text,
                "git_commit_sha" text,
                "display_name" text,
                "package_name" text,
                "package_version" text,
                "custom_properties" jsonb,
                "min_android_app_version_code" text,
                "max_android_app_version_code" text,
                "eq_android_app_version_code" text,
                "min_ios_app_version_code" text,
                "max_ios_app_version_code" text,
                "eq_ios_app_version_code" text,
                "min_electron_app_version_code" text,
                "max_electron_app_version_code" text,
                "eq_electron_app_version_code" text,
                CONSTRAINT "builds_app_id_number_key" UNIQUE ("app_id", "number"),
                CONSTRAINT "builds_platform_check" CHECK (platform IN ('android', 'ios', 'web')),
                CONSTRAINT "builds_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "builds_app_id_created_at_id_idx" ON "builds" ("app_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "build_artifacts" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "build_id" uuid NOT NULL,
                "type" text NOT NULL,
                "status" text NOT NULL DEFAULT 'pending',
                "blob_id" uuid,
                "file_name" text,
                "file_mime_type" text,
                "file_size_in_bytes" bigint,
                "total_size_in_bytes" bigint,
                "total_downloads" integer NOT NULL DEFAULT '0',
                CONSTRAINT "build_artifacts_status_check" CHECK (status IN ('pending', 'ready')),
                CONSTRAINT "build_artifacts_type_check" CHECK (
                    type IN (
                        'aab',
                        'apk',
                        'app',
                        'dsym',
                        'ipa',
                        'manifest',
                        'xcarchive',
                        'zip'
                    )
                ),
                CONSTRAINT "build_artifacts_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "build_artifacts_build_id_idx" ON "build_artifacts" ("build_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "build_artifacts_blob_id_idx" ON "build_artifacts" ("blob_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "channels" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "name" text NOT NULL,
                "name_lower" text NOT NULL,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "paused_at" TIMESTAMP(3) WITH TIME ZONE,
                "protected_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "channels_app_id_name_lower_key" UNIQUE ("app_id", "name_lower"),
                CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "deployments" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "build_id" uuid NOT NULL,
                "channel_id" uuid NOT NULL,
                "rollout_percentage" double precision NOT NULL DEFAULT '1',
                CONSTRAINT "deployments_rollout_percentage_check" CHECK (
                    rollout_percentage BETWEEN 0 AND 1
                ),
                CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_build_id_idx" ON "deployments" ("build_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_channel_id_created_at_id_idx" ON "deployments" ("channel_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "deployments_app_id_created_at_id_idx" ON "deployments" ("app_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "bundles" (
                "id" uuid NOT NULL,
                "app_id" uuid NOT NULL,
                "channel_id" uuid,
                "rollout_percentage" double precision NOT NULL DEFAULT '1',
                "deployment_id" uuid,
                "url" text,
                "checksum" text,
                "signature" text,
                "signed" boolean NOT NULL DEFAULT false,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "bundles_rollout_percentage_check" CHECK (
                    rollout_percentage BETWEEN 0 AND 1
                ),
                CONSTRAINT "bundles_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "bundles_deployment_id_idx" ON "bundles" ("deployment_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "bundles_app_id_idx" ON "bundles" ("app_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "bundle_files" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "bundle_id" uuid NOT NULL,
                "href" text NOT NULL,
                "name" text NOT NULL,
                "mime_type" text NOT NULL,
                "size_in_bytes" bigint NOT NULL,
                "checksum" text NOT NULL,
                "signature" text,
                "blob_id" uuid,
                CONSTRAINT "bundle_files_bundle_id_href_key" UNIQUE ("bundle_id", "href"),
                CONSTRAINT "bundle_files_size_in_bytes_check" CHECK (size_in_bytes >= 0),
                CONSTRAINT "bundle_files_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "bundle_files_blob_id_idx" ON "bundle_files" ("blob_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "file_uploads" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "bundle_file_id" uuid NOT NULL,
                "completed_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "file_uploads_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "file_uploads_bundle_file_id_idx" ON "file_uploads" ("bundle_file_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "upload_parts" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "file_upload_id" uuid NOT NULL,
                "part_number" integer NOT NULL,
                "sha256" text NOT NULL,
                CONSTRAINT "upload_parts_file_upload_id_part_number_sha256_key" UNIQUE ("file_upload_id", "part_number", "sha256"),
                CONSTRAINT "upload_parts_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "devices" (
                "app_id" uuid NOT NULL,
                "id" text NOT NULL,
                "platform" smallint NOT NULL,
                "app_version_code" text NOT NULL,
                "app_version_name" text NOT NULL,
                "os_version" text NOT NULL,
                "plugin_version" text NOT NULL,
                "custom_id" text,
                "runtime" text,
                "country" text,
                "channel_id" uuid,
                "forced_channel_id" uuid,
                "deployment_id" uuid,
                "last_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "devices_platform_check" CHECK (
                    platform BETWEEN 0 AND 2
                ),
                CONSTRAINT "devices_pkey" PRIMARY KEY ("app_id", "id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "devices_channel_id_idx" ON "devices" ("channel_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "devices_forced_channel_id_idx" ON "devices" ("forced_channel_id")
            WHERE forced_channel_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "devices_app_id_last_seen_at_id_idx" ON "devices" ("app_id", "last_seen_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "members" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "user_id" uuid NOT NULL,
                "role" text NOT NULL,
                "last_seen_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "members_organization_id_user_id_key" UNIQUE ("organization_id", "user_id"),
                CONSTRAINT "members_role_check" CHECK (
                    role IN ('owner', 'admin', 'billing', 'member', 'viewer')
                ),
                CONSTRAINT "members_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "members_user_id_idx" ON "members" ("user_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens"
            ADD CONSTRAINT "tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_default_channel_id_fkey" FOREIGN KEY ("default_channel_id") REFERENCES "channels"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs"
            ADD CONSTRAINT "blobs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "build_artifacts"
            ADD CONSTRAINT "build_artifacts_build_id_fkey" FOREIGN KEY ("build_id") REFERENCES "builds"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "build_artifacts"
            ADD CONSTRAINT "build_artifacts_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "channels"
            ADD CONSTRAINT "channels_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD CONSTRAINT "deployments_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD CONSTRAINT "deployments_build_id_fkey" FOREIGN KEY ("build_id") REFERENCES "builds"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments"
            ADD CONSTRAINT "deployments_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channels"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD CONSTRAINT "bundles_id_fkey" FOREIGN KEY ("id") REFERENCES "build_artifacts"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD CONSTRAINT "bundles_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles"
            ADD CONSTRAINT "bundles_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployments"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_files"
            ADD CONSTRAINT "bundle_files_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_files"
            ADD CONSTRAINT "bundle_files_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "file_uploads"
            ADD CONSTRAINT "file_uploads_bundle_file_id_fkey" FOREIGN KEY ("bundle_file_id") REFERENCES "bundle_files"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "upload_parts"
            ADD CONSTRAINT "upload_parts_file_upload_id_fkey" FOREIGN KEY ("file_upload_id") REFERENCES "file_uploads"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "devices_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "devices"
            ADD CONSTRAINT "devices_forced_channel_id_fkey" FOREIGN KEY ("forced_channel_id") REFERENCES "channels"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "members"
            ADD CONSTRAINT "members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "members"
            ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            ALTER TABLE "members" DROP CONSTRAINT "members_user_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "members" DROP CONSTRAINT "members_organization_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "devices_forced_channel_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "devices" DROP CONSTRAINT "devices_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "upload_parts" DROP CONSTRAINT "upload_parts_file_upload_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "file_uploads" DROP CONSTRAINT "file_uploads_bundle_file_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_files" DROP CONSTRAINT "bundle_files_blob_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundle_files" DROP CONSTRAINT "bundle_files_bundle_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP CONSTRAINT "bundles_deployment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP CONSTRAINT "bundles_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "bundles" DROP CONSTRAINT "bundles_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP CONSTRAINT "deployments_channel_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP CONSTRAINT "deployments_build_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "deployments" DROP CONSTRAINT "deployments_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "channels" DROP CONSTRAINT "channels_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_artifacts" DROP CONSTRAINT "build_artifacts_blob_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_artifacts" DROP CONSTRAINT "build_artifacts_build_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "blobs" DROP CONSTRAINT "blobs_organization_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_default_channel_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_organization_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "tokens" DROP CONSTRAINT "tokens_user_id_fkey"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."members_user_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "members"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."devices_app_id_last_seen_at_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."devices_forced_channel_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."devices_channel_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "devices"
        `);
    await queryRunner.query(`
            DROP TABLE "upload_parts"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."file_uploads_bundle_file_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "file_uploads"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."bundle_files_blob_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "bundle_files"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."bundles_app_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."bundles_deployment_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "bundles"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_app_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_channel_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."deployments_build_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "deployments"
        `);
    await queryRunner.query(`
            DROP TABLE "channels"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."build_artifacts_blob_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."build_artifacts_build_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "build_artifacts"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."builds_app_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "builds"
        `);
    await queryRunner.query(`
            DROP TABLE "blobs"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."apps_organization_id_name_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."apps_default_channel_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "apps"
        `);
    await queryRunner.query(`
            DROP TABLE "organizations"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."tokens_user_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "tokens"
        `);
    await queryRunner.query(`
            DROP TABLE "users"
        `);
  }
}
