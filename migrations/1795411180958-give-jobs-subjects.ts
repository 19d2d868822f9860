import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs of any kind: what they are about, and whether runners execute them. */
export class GiveJobsSubjects1795411180958 implements MigrationInterface {
  name = 'GiveJobsSubjects1795411180958';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE jobs RENAME COLUMN app_build_id TO subject_id');
    await queryRunner.query(`
      ALTER TABLE jobs
        DROP COLUMN app_deployment_id,
        ALTER COLUMN platform DROP NOT NULL,
        ALTER COLUMN stack DROP NOT NULL,
        ADD CONSTRAINT jobs_executor_check CHECK (
          CASE WHEN kind IN ('build') THEN platform IS NOT NULL AND stack IS NOT NULL
               ELSE attempts = 0 AND runner_id IS NULL AND NOT is_held END
        )`);
    await indexQueues(queryRunner, " AND kind IN ('build')");
    await announceEnds(queryRunner, "OLD.kind IN ('build') AND ");
    // A job that a worker executes is never pending, and goes back as often as its worker is lost.
    await guardStatus(
      queryRunner,
      `OR OLD.kind NOT IN ('build') AND (OLD.status = 'queued' AND NEW.status = 'in_progress'
                                         OR OLD.status = 'in_progress' AND NEW.status = 'queued')`,
    );
    // All subjects are builds, and the audit log has called them so.
    await auditJobs(queryRunner, ',"renamed":{"subject_id":"appBuildId"}');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await auditJobs(queryRunner, '');
    await guardStatus(queryRunner, '');
    await announceEnds(queryRunner, '');
    await indexQueues(queryRunner, '');
    await queryRunner.query(`
      ALTER TABLE jobs
        DROP CONSTRAINT jobs_executor_check,
        ALTER COLUMN stack SET NOT NULL,
        ALTER COLUMN platform SET NOT NULL,
        ADD COLUMN app_deployment_id uuid`);
    await queryRunner.query('ALTER TABLE jobs RENAME COLUMN subject_id TO app_build_id');
  }
}

/** Makes the indexes of queues again, with a condition besides the status. */
async function indexQueues(queryRunner: QueryRunner, condition: string): Promise<void> {
  await queryRunner.query('DROP INDEX jobs_queued_idx, jobs_running_idx');
  await queryRunner.query(
    `CREATE INDEX jobs_queued_idx ON jobs (organization_id, app_id, created_at) WHERE status = 'queued'${condition}`,
  );
  await queryRunner.query(
    `CREATE INDEX jobs_running_idx ON jobs (organization_id, app_id)
      WHERE status IN ('pending', 'in_progress')${condition}`,
  );
}

/** Makes the trigger again that announces ends of jobs to runners, with a condition besides the status. */
async function announceEnds(queryRunner: QueryRunner, condition: string): Promise<void> {
  await queryRunner.query('DROP TRIGGER announce_jobs ON jobs');
  await queryRunner.query(
    `CREATE TRIGGER announce_jobs AFTER UPDATE OF status ON jobs FOR EACH ROW
       WHEN (${condition}OLD.status IN ('pending', 'in_progress') AND NEW.status NOT IN ('pending', 'in_progress'))
       EXECUTE FUNCTION announce_jobs()`,
  );
}

/** Replaces `guard_job_status` by one that knows further transitions. */
async function guardStatus(queryRunner: QueryRunner, further: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION guard_job_status() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.status = OLD.status
                OR OLD.status = 'queued' AND NEW.status IN ('pending', 'canceled', 'rejected', 'failed', 'timed_out')
                OR OLD.status = 'pending' AND NEW.status IN ('in_progress', 'queued', 'canceled', 'rejected', 'failed', 'timed_out')
                OR OLD.status = 'in_progress' AND NEW.status IN ('succeeded', 'canceled', 'rejected', 'failed', 'timed_out')
                OR OLD.status = 'in_progress' AND NEW.status = 'queued' AND OLD.attempts = 1
                ${further}
            THEN
                RETURN NEW;
            END IF;
            RAISE EXCEPTION 'A job cannot change from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
        END
    $$`);
}

/** Audits jobs with further options. */
async function auditJobs(queryRunner: QueryRunner, further: string): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON jobs`);
  }
  await queryRunner.query(
    `CALL audit_table('jobs', '{"type":"job","organization":"own","ignored":["finished_lease_id"]${further}}')`,
  );
}
