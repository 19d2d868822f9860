import { MigrationInterface, QueryRunner } from 'typeorm';

export class AddCloudBuilds1795361732899 implements MigrationInterface {
  name = 'AddCloudBuilds1795361732899';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "build_sources" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "status" text NOT NULL DEFAULT 'pending',
                "size_in_bytes" bigint,
                "file_url" text,
                "failure" text,
                "fetches" integer NOT NULL DEFAULT '0',
                "blob_id" uuid,
                "created_by" uuid,
                CONSTRAINT "build_sources_status_check" CHECK (status IN ('pending', 'ready')),
                CONSTRAINT "build_sources_blob_id_check" CHECK (
                    status <> 'ready'
                    OR blob_id IS NOT NULL
                ),
                CONSTRAINT "build_sources_size_in_bytes_check" CHECK (size_in_bytes >= 0),
                CONSTRAINT "build_sources_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "build_sources_blob_id_idx" ON "build_sources" ("blob_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "build_sources_created_by_idx" ON "build_sources" ("created_by")
        `);
    await queryRunner.query(`
            CREATE INDEX "build_sources_app_id_created_at_idx" ON "build_sources" ("app_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE TABLE "build_deployments" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "app_id" uuid NOT NULL,
                "build_id" uuid NOT NULL,
                "channel_id" uuid NOT NULL,
                "status" text NOT NULL DEFAULT 'waiting',
                "failure" text,
                "deployment_id" uuid,
                CONSTRAINT "build_deployments_build_id_channel_id_key" UNIQUE ("build_id", "channel_id"),
                CONSTRAINT "build_deployments_status_check" CHECK (status IN ('waiting', 'deployed', 'failed')),
                CONSTRAINT "build_deployments_failure_check" CHECK ((status = 'failed') = (failure IS NOT NULL)),
                CONSTRAINT "build_deployments_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "build_deployments_app_id_idx" ON "build_deployments" ("app_id")
        `);
    await queryRunner.query(`
            CREATE INDEX "build_deployments_deployment_id_idx" ON "build_deployments" ("deployment_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "build_source_retention_days" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD "build_artifact_retention_days" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "job_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_job_id_key" UNIQUE ("job_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "build_source_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "environment_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "certificate_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "configuration_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "automation_id" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "sealed_ad_hoc_variables" text
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "release_notes" jsonb
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD "created_by" uuid
        `);
    await queryRunner.query(`
            ALTER TABLE "build_artifacts"
            ADD "announced_sha256" text
        `);
    await queryRunner.query(`
            CREATE INDEX "builds_created_by_idx" ON "builds" ("created_by")
            WHERE created_by IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "builds_configuration_id_idx" ON "builds" ("configuration_id")
            WHERE configuration_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "builds_certificate_id_idx" ON "builds" ("certificate_id")
            WHERE certificate_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "builds_environment_id_idx" ON "builds" ("environment_id")
            WHERE environment_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "builds_build_source_id_idx" ON "builds" ("build_source_id")
            WHERE build_source_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "builds_app_id_automation_id_created_at_id_idx" ON "builds" ("app_id", "automation_id", "created_at", "id")
            WHERE automation_id IS NOT NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_build_artifact_retention_days_check" CHECK (
                    build_artifact_retention_days BETWEEN 1 AND 3650
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_build_source_retention_days_check" CHECK (
                    build_source_retention_days BETWEEN 1 AND 3650
                )
        `);
    await queryRunner.query(`
            ALTER TABLE "build_sources"
            ADD CONSTRAINT "build_sources_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "build_sources"
            ADD CONSTRAINT "build_sources_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "build_sources"
            ADD CONSTRAINT "build_sources_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_build_source_id_fkey" FOREIGN KEY ("build_source_id") REFERENCES "build_sources"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_certificate_id_fkey" FOREIGN KEY ("certificate_id") REFERENCES "certificates"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_configuration_id_fkey" FOREIGN KEY ("configuration_id") REFERENCES "configurations"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "builds"
            ADD CONSTRAINT "builds_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "build_deployments"
            ADD CONSTRAINT "build_deployments_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "build_deployments"
            ADD CONSTRAINT "build_deployments_build_id_fkey" FOREIGN KEY ("build_id") REFERENCES "builds"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "build_deployments"
            ADD CONSTRAINT "build_deployments_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployments"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(
      `CALL audit_table('build_sources', '{"type":"build-source","organization":"app","secret":["file_url"],"ignored":["blob_id","fetches"],"renamed":{"size_in_bytes":"fileSizeInBytes","failure":"statusMessage"}}')`,
    );
    await queryRunner.query(
      `CALL audit_table('build_deployments', '{"type":"build-deployment","organization":"app","renamed":{"build_id":"appBuildId","channel_id":"appChannelId","deployment_id":"appDeploymentId","failure":"statusMessage"}}')`,
    );
    await auditBuilds(
      queryRunner,
      '{"type":"build","organization":"app","name":"display_name","secret":["sealed_ad_hoc_variables"],"renamed":{"environment_id":"appEnvironmentId","certificate_id":"appCertificateId","configuration_id":"appConfigurationId","build_source_id":"appBuildSourceId","automation_id":"appAutomationId","sealed_ad_hoc_variables":"adHocEnvironmentVariables"}}',
    );
    for (const owners of ['build_sources', 'build_artifacts']) {
      await queryRunner.query(
        `CREATE TRIGGER delete_uploads_of_owners AFTER DELETE ON ${owners}
           REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_uploads_of_owners()`,
      );
    }
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER delete_uploads_of_owners ON build_artifacts');
    await auditBuilds(queryRunner, '{"type": "build", "organization": "app", "name": "display_name"}');
    await queryRunner.query(`
            ALTER TABLE "build_deployments" DROP CONSTRAINT "build_deployments_deployment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_deployments" DROP CONSTRAINT "build_deployments_build_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_deployments" DROP CONSTRAINT "build_deployments_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_created_by_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_configuration_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_certificate_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_environment_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_build_source_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_job_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_sources" DROP CONSTRAINT "build_sources_created_by_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_sources" DROP CONSTRAINT "build_sources_blob_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_sources" DROP CONSTRAINT "build_sources_app_id_fkey"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_build_source_retention_days_check"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP CONSTRAINT "apps_build_artifact_retention_days_check"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."builds_app_id_automation_id_created_at_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."builds_build_source_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."builds_environment_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."builds_certificate_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."builds_configuration_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."builds_created_by_idx"
        `);
    await queryRunner.query(`
            ALTER TABLE "build_artifacts" DROP COLUMN "announced_sha256"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "created_by"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "release_notes"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "sealed_ad_hoc_variables"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "automation_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "configuration_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "certificate_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "environment_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "build_source_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP CONSTRAINT "builds_job_id_key"
        `);
    await queryRunner.query(`
            ALTER TABLE "builds" DROP COLUMN "job_id"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "build_artifact_retention_days"
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" DROP COLUMN "build_source_retention_days"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."build_deployments_deployment_id_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."build_deployments_app_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "build_deployments"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."build_sources_app_id_created_at_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."build_sources_created_by_idx"
        `);
    await queryRunner.query(`
            DROP INDEX "public"."build_sources_blob_id_idx"
        `);
    await queryRunner.query(`
            DROP TABLE "build_sources"
        `);
  }
}

/** Audits builds with other options. */
async function auditBuilds(queryRunner: QueryRunner, options: string): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON builds`);
  }
  await queryRunner.query(`CALL audit_table('builds', '${options}')`);
}
