import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Releases in stores: what changes them, where they are, who did what, and the policy of destinations. */
export class FollowReleasesInStores1795500000800 implements MigrationInterface {
  name = 'FollowReleasesInStores1795500000800';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE destinations
        DROP CONSTRAINT destinations_apple_release_type_check,
        ADD CONSTRAINT destinations_apple_release_type_check
          CHECK (apple_release_type IN ('after-approval', 'manual', 'scheduled')),
        ADD apple_phased_release boolean NOT NULL DEFAULT false,
        ADD required_approvals smallint NOT NULL DEFAULT 0,
        ADD freeze_windows jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT destinations_required_approvals_check CHECK (required_approvals BETWEEN 0 AND 5)`);
    await extendSubmissions(queryRunner);
    await queryRunner.query(`
      ALTER TABLE rollout_plans
        ADD store_message text,
        DROP CONSTRAINT rollout_plans_reason_check,
        ADD CONSTRAINT rollout_plans_reason_check
          CHECK (reason IN ('person', 'health-gate', 'share-changed', 'superseded', 'unsafe-reuse', 'store'))`);
    await createReleases(queryRunner);
    await createEvents(queryRunner);
    await auditSubmissions(queryRunner, { created_by_user_id: 'createdBy' });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE release_events');
    await queryRunner.query('DROP TABLE store_releases');
    await queryRunner.query(
      `UPDATE rollout_plans SET state = 'aborted', reason = 'person' WHERE reason = 'store'`,
    );
    await queryRunner.query(`DELETE FROM submissions WHERE action NOT IN ('submit', 'promote')`);
    await queryRunner.query(
      `UPDATE destinations SET apple_release_type = NULL WHERE apple_release_type = 'scheduled'`,
    );
    await queryRunner.query('SET CONSTRAINTS ALL IMMEDIATE');
    await queryRunner.query(`
      ALTER TABLE rollout_plans
        DROP COLUMN store_message,
        DROP CONSTRAINT rollout_plans_reason_check,
        ADD CONSTRAINT rollout_plans_reason_check
          CHECK (reason IN ('person', 'health-gate', 'share-changed', 'superseded', 'unsafe-reuse'))`);
    await dropTriggers(queryRunner);
    await queryRunner.query(`
      ALTER TABLE submissions
        DROP CONSTRAINT submissions_user_fraction_check,
        DROP COLUMN action,
        DROP COLUMN release_id,
        DROP COLUMN created_by_user_id,
        DROP COLUMN submits_for_review,
        DROP COLUMN rejects_if_possible,
        DROP COLUMN apple_release_type,
        DROP COLUMN is_phased,
        DROP COLUMN earliest_release_at,
        ADD CONSTRAINT submissions_user_fraction_check CHECK (user_fraction > 0 AND user_fraction <= 1)`);
    await auditSubmissions(queryRunner, {}, false);
    await queryRunner.query(`
      ALTER TABLE destinations
        DROP CONSTRAINT destinations_apple_release_type_check,
        ADD CONSTRAINT destinations_apple_release_type_check CHECK (apple_release_type IN ('after-approval', 'manual')),
        DROP COLUMN apple_phased_release,
        DROP COLUMN required_approvals,
        DROP COLUMN freeze_windows`);
  }
}

async function extendSubmissions(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    ALTER TABLE submissions
      ADD action text NOT NULL DEFAULT 'submit',
      ADD release_id uuid,
      ADD created_by_user_id uuid,
      ADD submits_for_review boolean NOT NULL DEFAULT false,
      ADD rejects_if_possible boolean NOT NULL DEFAULT false,
      ADD apple_release_type text,
      ADD is_phased boolean NOT NULL DEFAULT false,
      ADD earliest_release_at timestamptz(3),
      DROP CONSTRAINT submissions_user_fraction_check`);
  await queryRunner.query(`
    ALTER TABLE submissions
      ADD CONSTRAINT submissions_action_check
        CHECK (action IN ('submit', 'promote', 'set-rollout', 'release', 'withdraw')),
      ADD CONSTRAINT submissions_release_id_check
        CHECK ((release_id IS NULL) = (action IN ('submit', 'promote'))),
      ADD CONSTRAINT submissions_apple_release_type_check
        CHECK (apple_release_type IN ('after-approval', 'manual', 'scheduled')),
      ADD CONSTRAINT submissions_user_fraction_check
        CHECK (user_fraction >= 0 AND user_fraction <= 1 AND (user_fraction > 0 OR action = 'set-rollout')),
      ADD CONSTRAINT submissions_release_id_fkey
        FOREIGN KEY (release_id) REFERENCES submissions (id) ON DELETE CASCADE,
      ADD CONSTRAINT submissions_created_by_user_id_fkey
        FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL`);
  await queryRunner.query('CREATE INDEX submissions_release_id_idx ON submissions (release_id)');
  await queryRunner.query(
    'CREATE INDEX submissions_created_by_user_id_idx ON submissions (created_by_user_id)',
  );
  await queryRunner.query(`
    CREATE UNIQUE INDEX submissions_open_action_key ON submissions (release_id)
      WHERE release_id IS NOT NULL AND state IN ('created', 'preprocessing', 'preparing')`);
}

const STATUSES = [
  'draft',
  'not_sent_for_review',
  'waiting_for_review',
  'in_review',
  'rejected',
  'withdrawn',
  'approved',
  'testing',
  'rolling_out',
  'paused',
  'halted',
  'released',
  'replaced',
  'removed',
]
  .map((status) => `'${status}'`)
  .join(', ');

async function createReleases(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE store_releases (
      id uuid NOT NULL,
      app_id uuid NOT NULL,
      status text NOT NULL,
      status_since timestamptz(3) NOT NULL,
      store_status text,
      user_fraction double precision,
      resume_fraction double precision,
      message text NOT NULL,
      link text,
      looked_at timestamptz(3),
      next_look_at timestamptz(3),
      failed_looks integer NOT NULL DEFAULT 0,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT store_releases_pkey PRIMARY KEY (id),
      CONSTRAINT store_releases_status_check CHECK (status IN (${STATUSES})),
      CONSTRAINT store_releases_user_fraction_check CHECK (user_fraction BETWEEN 0 AND 1),
      CONSTRAINT store_releases_resume_fraction_check CHECK (resume_fraction BETWEEN 0 AND 1),
      CONSTRAINT store_releases_id_fkey FOREIGN KEY (id) REFERENCES submissions (id) ON DELETE CASCADE,
      CONSTRAINT store_releases_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
    )`);
  await queryRunner.query('CREATE INDEX store_releases_app_id_idx ON store_releases (app_id)');
  const options = {
    type: 'store-release',
    organization: 'app',
    ignored: ['looked_at', 'next_look_at', 'failed_looks'],
  };
  await queryRunner.query(`CALL audit_table('store_releases', '${JSON.stringify(options)}')`);
}

async function createEvents(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE release_events (
      id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      app_id uuid NOT NULL,
      release_id uuid NOT NULL,
      kind text NOT NULL,
      actor text NOT NULL,
      user_id uuid,
      action text,
      user_fraction double precision,
      status text,
      has_succeeded boolean,
      job_id uuid,
      message text,
      store_message text,
      CONSTRAINT release_events_pkey PRIMARY KEY (id),
      CONSTRAINT release_events_kind_check CHECK (kind IN ('requested', 'approved', 'approval_withdrawn',
        'approval_rejected', 'overridden', 'ended', 'finished', 'status')),
      CONSTRAINT release_events_actor_check
        CHECK (actor IN ('user', 'rollout-plan', 'automation', 'slipway', 'store')),
      CONSTRAINT release_events_action_check
        CHECK (action IN ('submit', 'promote', 'set-rollout', 'release', 'withdraw')),
      CONSTRAINT release_events_status_check CHECK (status IN (${STATUSES})),
      CONSTRAINT release_events_release_id_fkey
        FOREIGN KEY (release_id) REFERENCES submissions (id) ON DELETE CASCADE,
      CONSTRAINT release_events_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
      CONSTRAINT release_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE SET NULL
    )`);
  for (const columns of ['app_id', 'release_id, id', 'user_id']) {
    const name = `release_events_${columns.replaceAll(', ', '_')}_idx`;
    await queryRunner.query(`CREATE INDEX ${name} ON release_events (${columns})`);
  }
}

async function dropTriggers(queryRunner: QueryRunner): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON submissions`);
  }
}

/** Audits them again. @param drop whether they are audited now */
async function auditSubmissions(
  queryRunner: QueryRunner,
  renamed: Record<string, string>,
  drop = true,
): Promise<void> {
  if (drop) await dropTriggers(queryRunner);
  const options = {
    type: 'submission',
    organization: 'app',
    ignored: [
      'step',
      'step_attempts',
      'external',
      'sealed_upload',
      'sent_bytes',
      'commit_sent_at',
      'waits_for',
      'waiting_since',
    ],
    secret: [],
    renamed: { destination_id: 'appDestinationId', ...renamed },
  };
  await queryRunner.query(`CALL audit_table('submissions', '${JSON.stringify(options)}')`);
}
