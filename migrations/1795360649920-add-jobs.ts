import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

export class AddJobs1795360649920 implements MigrationInterface {
  name = 'AddJobs1795360649920';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "jobs" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid NOT NULL,
                "app_id" uuid NOT NULL,
                "kind" text NOT NULL,
                "app_build_id" uuid,
                "app_deployment_id" uuid,
                "status" text NOT NULL,
                "status_message" text,
                "platform" text NOT NULL,
                "stack" text NOT NULL,
                "labels" text array NOT NULL DEFAULT '{}',
                "is_automated" boolean NOT NULL DEFAULT false,
                "is_held" boolean NOT NULL DEFAULT false,
                "attempts" integer NOT NULL DEFAULT '0',
                "timeout_seconds" integer NOT NULL DEFAULT '3600',
                "failed_step" text,
                "runner_id" uuid,
                "finished_lease_id" uuid,
                "queued_at" TIMESTAMP(3) WITH TIME ZONE,
                "pending_at" TIMESTAMP(3) WITH TIME ZONE,
                "in_progress_at" TIMESTAMP(3) WITH TIME ZONE,
                "canceled_at" TIMESTAMP(3) WITH TIME ZONE,
                "finished_at" TIMESTAMP(3) WITH TIME ZONE,
                "canceled_by" uuid,
                "created_by" uuid,
                CONSTRAINT "jobs_kind_check" CHECK (kind IN ('build')),
                CONSTRAINT "jobs_status_check" CHECK (
                    status IN (
                        'queued',
                        'pending',
                        'in_progress',
                        'succeeded',
                        'failed',
                        'canceled',
                        'rejected',
                        'timed_out'
                    )
                ),
                CONSTRAINT "jobs_platform_check" CHECK (platform IN ('android', 'ios', 'web')),
                CONSTRAINT "jobs_attempts_check" CHECK (
                    attempts BETWEEN 0 AND 2
                ),
                CONSTRAINT "jobs_timeout_seconds_check" CHECK (
                    timeout_seconds BETWEEN 60 AND 21600
                ),
                CONSTRAINT "jobs_finished_at_check" CHECK (
                    (finished_at IS NOT NULL) = (
                        status IN (
                            'succeeded',
                            'failed',
                            'canceled',
                            'rejected',
                            'timed_out'
                        )
                    )
                ),
                CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "jobs_started_idx" ON "jobs" ("in_progress_at")
            WHERE status = 'in_progress'
        `);
    await queryRunner.query(`
            CREATE INDEX "jobs_running_idx" ON "jobs" ("organization_id", "app_id")
            WHERE status IN ('pending', 'in_progress')
        `);
    await queryRunner.query(`
            CREATE INDEX "jobs_queued_idx" ON "jobs" ("organization_id", "app_id", "created_at")
            WHERE status = 'queued'
        `);
    await queryRunner.query(`
            CREATE INDEX "jobs_created_by_idx" ON "jobs" ("created_by")
            WHERE created_by IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "jobs_canceled_by_idx" ON "jobs" ("canceled_by")
            WHERE canceled_by IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "jobs_app_id_created_at_id_idx" ON "jobs" ("app_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE INDEX "jobs_organization_id_created_at_id_idx" ON "jobs" ("organization_id", "created_at", "id")
        `);
    await queryRunner.query(`
            CREATE TABLE "job_leases" (
                "id" uuid NOT NULL,
                "job_id" uuid NOT NULL,
                "attempt" integer NOT NULL,
                "runner_id" uuid NOT NULL,
                "session_id" uuid NOT NULL,
                "claim_id" uuid NOT NULL,
                "token_hash" text NOT NULL,
                "granted_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
                "log_bytes" bigint NOT NULL DEFAULT '0',
                "logged_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "job_leases_runner_id_claim_id_key" UNIQUE ("runner_id", "claim_id"),
                CONSTRAINT "job_leases_job_id_key" UNIQUE ("job_id"),
                CONSTRAINT "job_leases_log_bytes_check" CHECK (log_bytes >= 0),
                CONSTRAINT "job_leases_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "job_leases_session_id_idx" ON "job_leases" ("session_id")
        `);
    await queryRunner.query(`
            CREATE TABLE "job_log_chunks" (
                "slot" smallint NOT NULL,
                "job_id" uuid NOT NULL,
                "number" integer NOT NULL,
                "payload" text NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                CONSTRAINT "job_log_chunks_pkey" PRIMARY KEY ("slot", "job_id", "number")
            ) PARTITION BY LIST ("slot")
        `);
    await queryRunner.query(`
            CREATE TABLE "job_logs" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "slot" smallint NOT NULL,
                "last_number" integer NOT NULL DEFAULT '0',
                "size_in_bytes" bigint NOT NULL DEFAULT '0',
                "is_full" boolean NOT NULL DEFAULT false,
                "sealed_tail" text,
                "sealed_masks" text,
                "blob_id" uuid,
                "archived_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "job_logs_slot_check" CHECK (
                    slot BETWEEN 0 AND 7
                ),
                CONSTRAINT "job_logs_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "job_logs_blob_id_idx" ON "job_logs" ("blob_id")
            WHERE blob_id IS NOT NULL
        `);
    await queryRunner.query(`
            CREATE INDEX "job_logs_created_at_idx" ON "job_logs" ("created_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "job_logs_slot_idx" ON "job_logs" ("slot")
            WHERE archived_at IS NULL
        `);
    await queryRunner.query(`
            ALTER TABLE "jobs"
            ADD CONSTRAINT "jobs_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "jobs"
            ADD CONSTRAINT "jobs_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "jobs"
            ADD CONSTRAINT "jobs_canceled_by_fkey" FOREIGN KEY ("canceled_by") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "jobs"
            ADD CONSTRAINT "jobs_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "job_leases"
            ADD CONSTRAINT "job_leases_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "job_logs"
            ADD CONSTRAINT "job_logs_id_fkey" FOREIGN KEY ("id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "job_logs"
            ADD CONSTRAINT "job_logs_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "apps" ADD "job_log_retention_days" integer
        `);
    await queryRunner.query(`
            ALTER TABLE "apps"
            ADD CONSTRAINT "apps_job_log_retention_days_check" CHECK (
                    job_log_retention_days BETWEEN 1 AND 3650
                )
        `);
    await queryRunner.query(await sqlFile('jobs.sql'));
    await queryRunner.query(
      `CALL audit_table('jobs', '{"type":"job","organization":"own","ignored":["finished_lease_id"]}')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER move_jobs ON apps');
    await queryRunner.query('DROP TABLE job_logs, job_log_chunks, job_leases, jobs');
    await queryRunner.query('DROP FUNCTION move_jobs, guard_job_status, delete_job_log_chunks');
    await queryRunner.query('ALTER TABLE apps DROP COLUMN job_log_retention_days');
  }
}
