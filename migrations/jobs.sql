-- Jobs, their logs, and the runners that do them: docs/jobs.md.

CREATE TABLE jobs (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  app_id uuid NOT NULL,
  kind text NOT NULL,
  app_build_id uuid,
  app_deployment_id uuid,
  status text NOT NULL,
  status_message text,
  platform text NOT NULL,
  stack text NOT NULL,
  labels text[] NOT NULL DEFAULT '{}',
  is_automated boolean NOT NULL DEFAULT false,
  is_held boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  timeout_seconds integer NOT NULL DEFAULT 3600,
  failed_step text,
  runner_id uuid,
  finished_lease_id uuid,
  queued_at timestamptz(3),
  pending_at timestamptz(3),
  in_progress_at timestamptz(3),
  canceled_at timestamptz(3),
  finished_at timestamptz(3),
  canceled_by uuid,
  created_by uuid,
  CONSTRAINT jobs_pkey PRIMARY KEY (id),
  CONSTRAINT jobs_kind_check CHECK (kind = 'build'),
  CONSTRAINT jobs_status_check CHECK (status IN ('queued', 'pending', 'in_progress', 'succeeded', 'failed', 'canceled', 'rejected', 'timed_out')),
  CONSTRAINT jobs_platform_check CHECK (platform IN ('android', 'ios', 'web')),
  CONSTRAINT jobs_attempts_check CHECK (attempts BETWEEN 0 AND 2),
  CONSTRAINT jobs_timeout_seconds_check CHECK (timeout_seconds BETWEEN 60 AND 21600),
  CONSTRAINT jobs_finished_at_check CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled', 'rejected', 'timed_out'))),
  CONSTRAINT jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT jobs_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT jobs_canceled_by_fkey FOREIGN KEY (canceled_by) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT jobs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX jobs_started_idx ON jobs (in_progress_at) WHERE status = 'in_progress';
CREATE INDEX jobs_running_idx ON jobs (organization_id, app_id) WHERE status IN ('pending', 'in_progress');
CREATE INDEX jobs_queued_idx ON jobs (organization_id, app_id, created_at) WHERE status = 'queued';
CREATE INDEX jobs_created_by_idx ON jobs (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX jobs_canceled_by_idx ON jobs (canceled_by) WHERE canceled_by IS NOT NULL;
CREATE INDEX jobs_app_id_created_at_id_idx ON jobs (app_id, created_at, id);
CREATE INDEX jobs_organization_id_created_at_id_idx ON jobs (organization_id, created_at, id);

-- The transitions of a job. A status without successors is final.
CREATE FUNCTION guard_job_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.status = OLD.status
            OR OLD.status = 'queued' AND NEW.status IN ('pending', 'canceled', 'rejected', 'failed', 'timed_out')
            OR OLD.status = 'pending' AND NEW.status IN ('in_progress', 'queued', 'canceled', 'rejected', 'failed', 'timed_out')
            OR OLD.status = 'in_progress' AND NEW.status IN ('succeeded', 'canceled', 'rejected', 'failed', 'timed_out')
            OR OLD.status = 'in_progress' AND NEW.status = 'queued' AND OLD.attempts = 1
        THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'A job cannot change from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END
$$;
CREATE TRIGGER guard_job_status BEFORE UPDATE OF status ON jobs FOR EACH ROW EXECUTE FUNCTION guard_job_status();

-- An app that moves to another organization takes its jobs along.
CREATE FUNCTION move_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE jobs SET organization_id = NEW.organization_id WHERE app_id = NEW.id;
        RETURN NULL;
    END
$$;
CREATE TRIGGER move_jobs AFTER UPDATE OF organization_id ON apps FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id) EXECUTE FUNCTION move_jobs();

-- A job that comes back, and one that ends: then another one may run.
CREATE FUNCTION announce_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_notify('jobs', NEW.organization_id::text);
          RETURN NULL;
        END
      $$;
CREATE TRIGGER announce_jobs AFTER UPDATE OF status ON jobs FOR EACH ROW
  WHEN (OLD.status IN ('pending', 'in_progress') AND NEW.status NOT IN ('pending', 'in_progress'))
  EXECUTE FUNCTION announce_jobs();

CALL audit_table('jobs',
  '{"type": "job", "organization": "own", "ignored": ["finished_lease_id"]}');

-- Leases change with every line of a log: room on each page keeps these updates out of the indexes.
CREATE TABLE job_leases (
  id uuid NOT NULL,
  job_id uuid NOT NULL,
  attempt integer NOT NULL,
  runner_id uuid NOT NULL,
  session_id uuid NOT NULL,
  claim_id uuid NOT NULL,
  token_hash text NOT NULL,
  granted_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  log_bytes bigint NOT NULL DEFAULT '0',
  logged_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT job_leases_pkey PRIMARY KEY (id),
  CONSTRAINT job_leases_runner_id_claim_id_key UNIQUE (runner_id, claim_id),
  CONSTRAINT job_leases_job_id_key UNIQUE (job_id),
  CONSTRAINT job_leases_log_bytes_check CHECK (log_bytes >= 0),
  CONSTRAINT job_leases_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE CASCADE
) WITH (fillfactor = 50);
CREATE INDEX job_leases_session_id_idx ON job_leases (session_id);

CREATE TABLE job_logs (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  slot smallint NOT NULL,
  last_number integer NOT NULL DEFAULT 0,
  size_in_bytes bigint NOT NULL DEFAULT '0',
  is_full boolean NOT NULL DEFAULT false,
  sealed_tail text,
  sealed_masks text,
  blob_id uuid,
  archived_at timestamptz(3),
  failure_summary text,
  CONSTRAINT job_logs_pkey PRIMARY KEY (id),
  CONSTRAINT job_logs_slot_check CHECK (slot BETWEEN 0 AND 7),
  CONSTRAINT job_logs_id_fkey FOREIGN KEY (id) REFERENCES jobs (id) ON DELETE CASCADE,
  CONSTRAINT job_logs_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs (id)
);
CREATE INDEX job_logs_blob_id_idx ON job_logs (blob_id) WHERE blob_id IS NOT NULL;
CREATE INDEX job_logs_created_at_idx ON job_logs (created_at);
CREATE INDEX job_logs_slot_idx ON job_logs (slot) WHERE archived_at IS NULL;

-- The lines of logs in transit. They have no foreign key, which would lock the job for each of them.
CREATE TABLE job_log_chunks (
  slot smallint NOT NULL,
  job_id uuid NOT NULL,
  number integer NOT NULL,
  payload text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT job_log_chunks_pkey PRIMARY KEY (slot, job_id, number)
) PARTITION BY LIST (slot);

-- Chunks of logs that began on one day. Their names are those of src/jobs/job-logs/job-log.entity.ts.
CREATE TABLE job_log_chunks_0 PARTITION OF job_log_chunks FOR VALUES IN (0);
CREATE TABLE job_log_chunks_1 PARTITION OF job_log_chunks FOR VALUES IN (1);
CREATE TABLE job_log_chunks_2 PARTITION OF job_log_chunks FOR VALUES IN (2);
CREATE TABLE job_log_chunks_3 PARTITION OF job_log_chunks FOR VALUES IN (3);
CREATE TABLE job_log_chunks_4 PARTITION OF job_log_chunks FOR VALUES IN (4);
CREATE TABLE job_log_chunks_5 PARTITION OF job_log_chunks FOR VALUES IN (5);
CREATE TABLE job_log_chunks_6 PARTITION OF job_log_chunks FOR VALUES IN (6);
CREATE TABLE job_log_chunks_7 PARTITION OF job_log_chunks FOR VALUES IN (7);

CREATE FUNCTION delete_job_log_chunks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM job_log_chunks WHERE slot = OLD.slot AND job_id = OLD.id;
        RETURN NULL;
    END
$$;
CREATE TRIGGER delete_job_log_chunks AFTER DELETE ON job_logs FOR EACH ROW EXECUTE FUNCTION delete_job_log_chunks();

CREATE TABLE job_queues (
  organization_id uuid NOT NULL,
  running_limit integer,
  last_served_at timestamptz(3),
  CONSTRAINT job_queues_pkey PRIMARY KEY (organization_id),
  CONSTRAINT job_queues_running_limit_check CHECK (running_limit >= 0),
  CONSTRAINT job_queues_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE TABLE job_queue_apps (
  app_id uuid NOT NULL,
  running_limit integer,
  last_served_at timestamptz(3),
  CONSTRAINT job_queue_apps_pkey PRIMARY KEY (app_id),
  CONSTRAINT job_queue_apps_running_limit_check CHECK (running_limit >= 0),
  CONSTRAINT job_queue_apps_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);

CREATE TABLE runners (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid,
  name text NOT NULL,
  labels text[] NOT NULL DEFAULT '{}',
  platforms text[],
  app_ids uuid[],
  is_paused boolean NOT NULL DEFAULT false,
  hash text NOT NULL,
  last_four text NOT NULL,
  previous_hash text,
  previous_expires_at timestamptz(3),
  expires_at timestamptz(3),
  created_by uuid,
  CONSTRAINT runners_pkey PRIMARY KEY (id),
  CONSTRAINT runners_previous_hash_key UNIQUE (previous_hash),
  CONSTRAINT runners_hash_key UNIQUE (hash),
  CONSTRAINT runners_app_ids_check CHECK (cardinality(app_ids) BETWEEN 1 AND 100),
  CONSTRAINT runners_platforms_check CHECK (cardinality(platforms) > 0),
  CONSTRAINT runners_labels_check CHECK (cardinality(labels) <= 32),
  CONSTRAINT runners_last_four_check CHECK (char_length(last_four) = 4),
  CONSTRAINT runners_previous_hash_check CHECK ((previous_hash IS NULL) = (previous_expires_at IS NULL)),
  CONSTRAINT runners_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT runners_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX runners_organization_id_created_at_idx ON runners (organization_id, created_at);
CREATE INDEX runners_created_by_idx ON runners (created_by);

CALL audit_table('runners',
  '{"type": "runner", "organization": "own", "name": "name", "secret": ["hash", "previous_hash", "last_four"], "renamed": {"is_paused": "paused"}}');

CREATE TABLE runner_sessions (
  id uuid NOT NULL,
  runner_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  name text,
  version text NOT NULL,
  os text NOT NULL,
  arch text NOT NULL,
  platforms text[] NOT NULL,
  stacks text[] NOT NULL,
  labels text[] NOT NULL,
  slots integer NOT NULL,
  CONSTRAINT runner_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT runner_sessions_slots_check CHECK (slots BETWEEN 1 AND 16),
  CONSTRAINT runner_sessions_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX runner_sessions_runner_id_idx ON runner_sessions (runner_id);
