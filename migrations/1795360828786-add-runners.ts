import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddRunners1795360828786 implements MigrationInterface {
  name = 'AddRunners1795360828786';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
            CREATE TABLE "job_queue_apps" (
                "app_id" uuid NOT NULL,
                "running_limit" integer,
                "last_served_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "job_queue_apps_running_limit_check" CHECK (running_limit >= 0),
                CONSTRAINT "job_queue_apps_pkey" PRIMARY KEY ("app_id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "job_queues" (
                "organization_id" uuid NOT NULL,
                "running_limit" integer,
                "last_served_at" TIMESTAMP(3) WITH TIME ZONE,
                CONSTRAINT "job_queues_running_limit_check" CHECK (running_limit >= 0),
                CONSTRAINT "job_queues_pkey" PRIMARY KEY ("organization_id")
            )
        `);
    await queryRunner.query(`
            CREATE TABLE "runners" (
                "id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "organization_id" uuid,
                "name" text NOT NULL,
                "labels" text array NOT NULL DEFAULT '{}',
                "platforms" text array,
                "app_ids" uuid array,
                "is_paused" boolean NOT NULL DEFAULT false,
                "hash" text NOT NULL,
                "last_four" text NOT NULL,
                "previous_hash" text,
                "previous_expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "expires_at" TIMESTAMP(3) WITH TIME ZONE,
                "created_by" uuid,
                CONSTRAINT "runners_previous_hash_key" UNIQUE ("previous_hash"),
                CONSTRAINT "runners_hash_key" UNIQUE ("hash"),
                CONSTRAINT "runners_app_ids_check" CHECK (
                    cardinality(app_ids) BETWEEN 1 AND 100
                ),
                CONSTRAINT "runners_platforms_check" CHECK (cardinality(platforms) > 0),
                CONSTRAINT "runners_labels_check" CHECK (cardinality(labels) <= 32),
                CONSTRAINT "runners_last_four_check" CHECK (char_length(last_four) = 4),
                CONSTRAINT "runners_previous_hash_check" CHECK (
                    (previous_hash IS NULL) = (previous_expires_at IS NULL)
                ),
                CONSTRAINT "runners_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE INDEX "runners_organization_id_created_at_idx" ON "runners" ("organization_id", "created_at")
        `);
    await queryRunner.query(`
            CREATE INDEX "runners_created_by_idx" ON "runners" ("created_by")
        `);
    await queryRunner.query(`
            CREATE TABLE "runner_sessions" (
                "id" uuid NOT NULL,
                "runner_id" uuid NOT NULL,
                "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "last_seen_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
                "ended_at" TIMESTAMP(3) WITH TIME ZONE,
                "name" text,
                "version" text NOT NULL,
                "os" text NOT NULL,
                "arch" text NOT NULL,
                "platforms" text array NOT NULL,
                "stacks" text array NOT NULL,
                "labels" text array NOT NULL,
                "slots" integer NOT NULL,
                CONSTRAINT "runner_sessions_slots_check" CHECK (
                    slots BETWEEN 1 AND 16
                ),
                CONSTRAINT "runner_sessions_pkey" PRIMARY KEY ("id")
            )
        `);
    await queryRunner.query(`
            CREATE UNIQUE INDEX "runner_sessions_runner_id_idx" ON "runner_sessions" ("runner_id")
        `);
    await queryRunner.query(`
            ALTER TABLE "job_queue_apps"
            ADD CONSTRAINT "job_queue_apps_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "job_queues"
            ADD CONSTRAINT "job_queues_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "runners"
            ADD CONSTRAINT "runners_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "runners"
            ADD CONSTRAINT "runners_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE
            SET NULL ON UPDATE NO ACTION
        `);
    await queryRunner.query(`
            ALTER TABLE "runner_sessions"
            ADD CONSTRAINT "runner_sessions_runner_id_fkey" FOREIGN KEY ("runner_id") REFERENCES "runners"("id") ON DELETE CASCADE ON UPDATE NO ACTION
        `);
    // A job that comes back, and one that ends: then another one may run.
    await queryRunner.query(`
      CREATE FUNCTION announce_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_notify('jobs', NEW.organization_id::text);
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER announce_jobs AFTER UPDATE OF status ON jobs FOR EACH ROW
        WHEN (OLD.status IN ('pending', 'in_progress') AND NEW.status NOT IN ('pending', 'in_progress'))
        EXECUTE FUNCTION announce_jobs()`);
    await queryRunner.query(`
      CALL audit_table('runners',
        '{"type": "runner", "organization": "own", "name": "name", "secret": ["hash", "previous_hash", "last_four"], "renamed": {"is_paused": "paused"}}')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER announce_jobs ON jobs');
    await queryRunner.query('DROP FUNCTION announce_jobs');
    for (const table of ['runner_sessions', 'runners', 'job_queues', 'job_queue_apps']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
