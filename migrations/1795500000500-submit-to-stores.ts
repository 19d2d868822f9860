import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Destinations in app stores, the keys that sign in there, and submissions of builds to them. */
export class SubmitToStores1795500000500 implements MigrationInterface {
  name = 'SubmitToStores1795500000500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await addSteps(queryRunner);
    await createTables(queryRunner);
    await audit(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES.toReversed()) await queryRunner.query(`DROP TABLE ${table}`);
    await queryRunner.query(`DELETE FROM jobs WHERE kind = 'submission'`);
    await queryRunner.query('SET CONSTRAINTS ALL IMMEDIATE');
    await auditJobs(queryRunner, ['finished_lease_id'], 'appBuildId');
    await queryRunner.query('ALTER TABLE jobs DROP COLUMN step, DROP COLUMN step_runs');
    await replaceCheck(queryRunner, 'jobs_kind_check', `kind IN ('build', 'import')`);
    await replaceCheck(queryRunner, 'jobs_timeout_seconds_check', 'timeout_seconds BETWEEN 60 AND 21600');
  }
}

const TABLES = ['store_keys', 'destinations', 'submissions', 'store_edits', 'submission_requests'];

async function addSteps(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    ALTER TABLE jobs
      ADD step integer NOT NULL DEFAULT 0,
      ADD step_runs integer NOT NULL DEFAULT 0,
      ADD CONSTRAINT jobs_step_check
        CHECK (step >= 0 AND step_runs >= 0 AND (NOT kind IN ('build') OR step + step_runs = 0))`);
  await replaceCheck(queryRunner, 'jobs_kind_check', `kind IN ('build', 'import', 'submission')`);
  await replaceCheck(
    queryRunner,
    'jobs_timeout_seconds_check',
    `timeout_seconds BETWEEN 60 AND CASE WHEN kind IN ('build') THEN 21600 ELSE 86400 END`,
  );
  await auditJobs(queryRunner, ['finished_lease_id', 'step', 'step_runs'], 'subjectId');
}

/** Audits jobs again: not all subjects are builds. @param ignored columns whose changes are no changes of the object */
async function auditJobs(
  queryRunner: QueryRunner,
  ignored: readonly string[],
  subject: string,
): Promise<void> {
  for (const trigger of ['audit_insert', 'audit_update', 'audit_delete', 'audit_truncate']) {
    await queryRunner.query(`DROP TRIGGER ${trigger} ON jobs`);
  }
  const options = { type: 'job', organization: 'own', ignored, renamed: { subject_id: subject } };
  await queryRunner.query(`CALL audit_table('jobs', '${JSON.stringify(options)}')`);
}

async function replaceCheck(queryRunner: QueryRunner, name: string, expression: string): Promise<void> {
  await queryRunner.query(`ALTER TABLE jobs DROP CONSTRAINT ${name}`);
  await queryRunner.query(`ALTER TABLE jobs ADD CONSTRAINT ${name} CHECK (${expression})`);
}

async function createTables(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE TABLE store_keys (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        app_id uuid NOT NULL,
        kind text NOT NULL,
        account_email text,
        sealed_file text NOT NULL,
        created_by_user_id uuid,
        CONSTRAINT store_keys_pkey PRIMARY KEY (id),
        CONSTRAINT store_keys_kind_check CHECK (kind IN ('apple-api-key', 'google-service-account')),
        CONSTRAINT store_keys_account_email_check CHECK ((kind = 'google-service-account') = (account_email IS NOT NULL)),
        CONSTRAINT store_keys_sealed_file_check CHECK (sealed_file LIKE 'v1.%'),
        CONSTRAINT store_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
        CONSTRAINT store_keys_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL
      )`);
  await queryRunner.query(
    `CREATE INDEX store_keys_created_by_user_id_idx ON store_keys (created_by_user_id)`,
  );
  await queryRunner.query(`CREATE INDEX store_keys_app_id_kind_idx ON store_keys (app_id, kind)`);
  await queryRunner.query(`
      CREATE TABLE destinations (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        app_id uuid NOT NULL,
        name text NOT NULL,
        name_lower text NOT NULL,
        platform text NOT NULL,
        type text NOT NULL,
        default_language text,
        android_package_name text,
        android_build_artifact_type text NOT NULL DEFAULT 'aab',
        android_release_status text NOT NULL DEFAULT 'draft',
        google_play_track text,
        google_key_id uuid,
        apple_team_id text,
        apple_id text,
        apple_app_id text,
        sealed_apple_app_password text,
        apple_key_file_id uuid,
        apple_api_key_id text,
        apple_issuer_id text,
        apple_beta_groups text[] NOT NULL DEFAULT '{}',
        apple_submit_for_review boolean NOT NULL DEFAULT false,
        apple_reject_if_possible boolean NOT NULL DEFAULT false,
        apple_release_type text,
        firebase_app_id text,
        firebase_tester_groups text[] NOT NULL DEFAULT '{}',
        huawei_app_id text,
        huawei_client_id text,
        sealed_huawei_client_secret text,
        created_by_user_id uuid,
        updated_by_user_id uuid,
        CONSTRAINT destinations_pkey PRIMARY KEY (id),
        CONSTRAINT destinations_app_id_platform_name_lower_key UNIQUE (app_id, platform, name_lower),
        CONSTRAINT destinations_platform_check CHECK (platform IN ('android', 'ios')),
        CONSTRAINT destinations_type_check CHECK (type IN ('apple-app-store-connect', 'google-play', 'firebase-app-distribution', 'huawei-appgallery')),
        CONSTRAINT destinations_android_build_artifact_type_check CHECK (android_build_artifact_type IN ('aab', 'apk')),
        CONSTRAINT destinations_android_release_status_check CHECK (android_release_status IN ('draft', 'completed')),
        CONSTRAINT destinations_apple_release_type_check CHECK (apple_release_type IN ('after-approval', 'manual')),
        CONSTRAINT destinations_sealed_huawei_client_secret_check CHECK (sealed_huawei_client_secret LIKE 'v1.%'),
        CONSTRAINT destinations_sealed_apple_app_password_check CHECK (sealed_apple_app_password LIKE 'v1.%'),
        CONSTRAINT destinations_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
        CONSTRAINT destinations_google_key_id_fkey FOREIGN KEY (google_key_id) REFERENCES store_keys (id),
        CONSTRAINT destinations_apple_key_file_id_fkey FOREIGN KEY (apple_key_file_id) REFERENCES store_keys (id),
        CONSTRAINT destinations_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL,
        CONSTRAINT destinations_updated_by_user_id_fkey FOREIGN KEY (updated_by_user_id) REFERENCES users (id) ON DELETE SET NULL
      )`);
  await queryRunner.query(`CREATE INDEX destinations_google_key_id_idx ON destinations (google_key_id)`);
  await queryRunner.query(
    `CREATE INDEX destinations_apple_key_file_id_idx ON destinations (apple_key_file_id)`,
  );
  await queryRunner.query(
    `CREATE INDEX destinations_created_by_user_id_idx ON destinations (created_by_user_id)`,
  );
  await queryRunner.query(
    `CREATE INDEX destinations_updated_by_user_id_idx ON destinations (updated_by_user_id)`,
  );
  await queryRunner.query(`
      CREATE TABLE submissions (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        app_id uuid NOT NULL,
        destination_id uuid NOT NULL,
        job_id uuid NOT NULL,
        type text NOT NULL,
        state text NOT NULL DEFAULT 'created',
        message text,
        link text,
        package_name text NOT NULL,
        version_name text,
        version_code text NOT NULL,
        signer_sha256 text,
        artifact_id uuid NOT NULL,
        artifact_type text NOT NULL,
        blob_id uuid NOT NULL,
        size_in_bytes bigint NOT NULL,
        sha256 text NOT NULL,
        symbol_files jsonb NOT NULL DEFAULT '[]',
        track text,
        release_status text,
        user_fraction double precision NOT NULL DEFAULT 1,
        release_notes jsonb,
        in_app_update_priority smallint,
        cancels_review boolean NOT NULL DEFAULT false,
        step text NOT NULL,
        step_attempts integer NOT NULL DEFAULT 0,
        external jsonb NOT NULL DEFAULT '{}',
        sealed_upload_url text,
        sent_bytes bigint NOT NULL DEFAULT 0,
        commit_sent_at timestamptz(3),
        waits_for text,
        waiting_since timestamptz(3),
        CONSTRAINT submissions_pkey PRIMARY KEY (id),
        CONSTRAINT submissions_type_check CHECK (type IN ('apple-app-store-connect', 'google-play', 'firebase-app-distribution', 'huawei-appgallery')),
        CONSTRAINT submissions_state_check CHECK (state IN ('created', 'preprocessing', 'preparing', 'prepared', 'failed', 'failed_with_action_required', 'finished_manually')),
        CONSTRAINT submissions_artifact_type_check CHECK (artifact_type IN ('aab', 'apk', 'ipa')),
        CONSTRAINT submissions_release_status_check CHECK (release_status IN ('draft', 'completed')),
        CONSTRAINT submissions_waits_for_check CHECK ((waits_for IS NULL) = (waiting_since IS NULL)),
        CONSTRAINT submissions_sealed_upload_url_check CHECK (sealed_upload_url LIKE 'v1.%'),
        CONSTRAINT submissions_in_app_update_priority_check CHECK (in_app_update_priority BETWEEN 0 AND 5),
        CONSTRAINT submissions_user_fraction_check CHECK (user_fraction > 0 AND user_fraction <= 1),
        CONSTRAINT submissions_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
        CONSTRAINT submissions_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES destinations (id) ON DELETE CASCADE,
        CONSTRAINT submissions_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE CASCADE
      )`);
  await queryRunner.query(`CREATE INDEX submissions_destination_id_idx ON submissions (destination_id)`);
  await queryRunner.query(`CREATE INDEX submissions_job_id_idx ON submissions (job_id)`);
  await queryRunner.query(
    `CREATE INDEX submissions_waits_for_idx ON submissions (waits_for, waiting_since) WHERE waits_for IS NOT NULL`,
  );
  await queryRunner.query(
    `CREATE INDEX submissions_action_required_idx ON submissions (package_name, track) WHERE state = 'failed_with_action_required'`,
  );
  await queryRunner.query(
    `CREATE INDEX submissions_artifact_idx ON submissions (artifact_id) WHERE state IN ('created', 'preprocessing', 'preparing')`,
  );
  await queryRunner.query(
    `CREATE INDEX submissions_open_idx ON submissions (app_id) WHERE state IN ('created', 'preprocessing', 'preparing')`,
  );
  await queryRunner.query(`
      CREATE TABLE store_edits (
        key text NOT NULL,
        submission_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT store_edits_pkey PRIMARY KEY (key),
        CONSTRAINT store_edits_submission_id_key UNIQUE (submission_id),
        CONSTRAINT store_edits_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions (id) ON DELETE CASCADE
      )`);
  await queryRunner.query(`
      CREATE TABLE submission_requests (
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        submission_id uuid NOT NULL,
        method text NOT NULL,
        url text NOT NULL,
        request_headers jsonb NOT NULL,
        request_body text,
        status integer,
        response_headers jsonb NOT NULL,
        response_body text,
        milliseconds integer NOT NULL,
        error text,
        CONSTRAINT submission_requests_pkey PRIMARY KEY (id),
        CONSTRAINT submission_requests_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions (id) ON DELETE CASCADE
      )`);
  await queryRunner.query(
    `CREATE INDEX submission_requests_created_at_idx ON submission_requests (created_at)`,
  );
  await queryRunner.query(
    `CREATE INDEX submission_requests_submission_id_id_idx ON submission_requests (submission_id, id)`,
  );
}

async function audit(queryRunner: QueryRunner): Promise<void> {
  const users = { created_by_user_id: 'createdBy', updated_by_user_id: 'updatedBy' };
  const audited = {
    store_keys: {
      type: 'store-key',
      organization: 'app',
      secret: ['sealed_file'],
      renamed: { created_by_user_id: 'createdBy', sealed_file: 'file' },
    },
    destinations: {
      type: 'destination',
      organization: 'app',
      name: 'name',
      ignored: ['name_lower'],
      secret: ['sealed_apple_app_password', 'sealed_huawei_client_secret'],
      renamed: {
        ...users,
        google_key_id: 'appGoogleServiceAccountKeyId',
        apple_key_file_id: 'appAppleApiKeyId',
        sealed_apple_app_password: 'appleAppPassword',
        sealed_huawei_client_secret: 'huaweiClientSecret',
      },
    },
    submissions: {
      type: 'submission',
      organization: 'app',
      ignored: PROGRESS,
      secret: [],
      renamed: { destination_id: 'appDestinationId' },
    },
  };
  for (const [table, options] of Object.entries(audited)) {
    await queryRunner.query(`CALL audit_table('${table}', '${JSON.stringify(options)}')`);
  }
}

/** What only steps of a submission write. */
const PROGRESS = [
  'step',
  'step_attempts',
  'external',
  'sealed_upload_url',
  'sent_bytes',
  'commit_sent_at',
  'waits_for',
  'waiting_since',
];
