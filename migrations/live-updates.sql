-- Channels, deployments and bundles.

CREATE TABLE channels (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  name text NOT NULL,
  name_lower text NOT NULL,
  expires_at timestamptz(3),
  paused_at timestamptz(3),
  protected_at timestamptz(3),
  required_approvals smallint NOT NULL DEFAULT '0',
  freeze_windows jsonb NOT NULL DEFAULT '[]',
  bundle_retention_count integer,
  rollback_limit integer DEFAULT 2,
  CONSTRAINT channels_pkey PRIMARY KEY (id),
  CONSTRAINT channels_app_id_name_lower_key UNIQUE (app_id, name_lower),
  CONSTRAINT channels_bundle_retention_count_check CHECK (bundle_retention_count BETWEEN 1 AND 1000),
  CONSTRAINT channels_required_approvals_check CHECK (required_approvals BETWEEN 0 AND 5),
  CONSTRAINT channels_rollback_limit_check CHECK (rollback_limit BETWEEN 1 AND 100),
  CONSTRAINT channels_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);

ALTER TABLE apps
  ADD CONSTRAINT apps_default_channel_id_fkey FOREIGN KEY (default_channel_id) REFERENCES channels (id) ON DELETE SET NULL;

CALL audit_table('channels',
  '{"type": "channel", "organization": "app", "name": "name", "ignored": ["name_lower"]}');

CREATE TRIGGER announce_channel AFTER INSERT OR UPDATE OR DELETE ON channels
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');

CREATE TABLE deployments (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  build_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  rollout_percentage double precision NOT NULL DEFAULT '1',
  sequence bigserial NOT NULL,
  approval_status text NOT NULL DEFAULT 'approved',
  required_approvals smallint NOT NULL DEFAULT '0',
  created_by_user_id uuid,
  emergency_at timestamptz(3),
  emergency_by_user_id uuid,
  emergency_reason text,
  CONSTRAINT deployments_pkey PRIMARY KEY (id),
  CONSTRAINT deployments_approval_status_check CHECK (approval_status IN ('approved', 'pending', 'rejected')),
  CONSTRAINT deployments_required_approvals_check CHECK (required_approvals BETWEEN 0 AND 5),
  CONSTRAINT deployments_rollout_percentage_check CHECK (rollout_percentage BETWEEN 0 AND 1),
  CONSTRAINT deployments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT deployments_build_id_fkey FOREIGN KEY (build_id) REFERENCES builds (id) ON DELETE CASCADE,
  CONSTRAINT deployments_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels (id) ON DELETE CASCADE,
  CONSTRAINT deployments_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT deployments_emergency_by_user_id_fkey FOREIGN KEY (emergency_by_user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX deployments_app_id_sequence_id_idx ON deployments (app_id, sequence, id);
CREATE INDEX deployments_build_id_idx ON deployments (build_id);
CREATE INDEX deployments_channel_id_sequence_idx ON deployments (channel_id, sequence);
CREATE INDEX deployments_created_by_user_id_idx ON deployments (created_by_user_id);
CREATE INDEX deployments_emergency_by_user_id_idx ON deployments (emergency_by_user_id);
CREATE INDEX deployments_pending_idx ON deployments (channel_id, sequence) WHERE approval_status = 'pending';

CALL audit_table('deployments',
  '{"type": "deployment", "organization": "app", "renamed": {"build_id": "appBuildId", "channel_id": "appChannelId"}}');

CREATE TRIGGER announce_deployment AFTER INSERT OR UPDATE OR DELETE ON deployments
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');

CREATE TABLE deployment_approvals (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  deployment_id uuid NOT NULL,
  user_id uuid NOT NULL,
  decision text NOT NULL,
  comment text,
  CONSTRAINT deployment_approvals_pkey PRIMARY KEY (id),
  CONSTRAINT deployment_approvals_deployment_id_user_id_key UNIQUE (deployment_id, user_id),
  CONSTRAINT deployment_approvals_decision_check CHECK (decision IN ('approved', 'rejected')),
  CONSTRAINT deployment_approvals_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT deployment_approvals_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments (id) ON DELETE CASCADE,
  CONSTRAINT deployment_approvals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX deployment_approvals_app_id_idx ON deployment_approvals (app_id);
CREATE INDEX deployment_approvals_user_id_idx ON deployment_approvals (user_id);

CALL audit_table('deployment_approvals',
  '{"type": "deployment-approval", "organization": "app", "user": "user_id", "renamed": {"deployment_id": "appDeploymentId"}}');

CREATE TABLE rollout_plans (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  deployment_id uuid NOT NULL,
  steps jsonb NOT NULL,
  health_gate jsonb,
  state text NOT NULL,
  reason text,
  state_since timestamptz(3) NOT NULL,
  step_index smallint,
  step_started_at timestamptz(3),
  step_ends_at timestamptz(3),
  next_check_at timestamptz(3),
  observed_since timestamptz(3),
  frozen_until timestamptz(3),
  evidence jsonb,
  CONSTRAINT rollout_plans_pkey PRIMARY KEY (id),
  CONSTRAINT rollout_plans_deployment_id_key UNIQUE (deployment_id),
  CONSTRAINT rollout_plans_next_check_check CHECK ((next_check_at IS NOT NULL) = (state = 'running')),
  CONSTRAINT rollout_plans_reason_check CHECK (reason IN ('person', 'health-gate', 'share-changed', 'superseded')),
  CONSTRAINT rollout_plans_reason_state_check CHECK ((reason IS NOT NULL) = (state IN ('held', 'aborted'))),
  CONSTRAINT rollout_plans_state_check CHECK (state IN ('draft', 'running', 'held', 'completed', 'aborted')),
  CONSTRAINT rollout_plans_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT rollout_plans_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments (id) ON DELETE CASCADE
);
CREATE INDEX rollout_plans_app_id_idx ON rollout_plans (app_id);

CALL audit_table('rollout_plans',
  '{"type": "rollout-plan", "organization": "app", "ignored": ["next_check_at"], "renamed": {"deployment_id": "appDeploymentId"}}');

CREATE TABLE retired_deployments (
  channel_id uuid NOT NULL,
  bundle_id uuid NOT NULL,
  app_id uuid NOT NULL,
  sequence bigint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT retired_deployments_pkey PRIMARY KEY (channel_id, bundle_id),
  CONSTRAINT retired_deployments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);
CREATE INDEX retired_deployments_app_id_idx ON retired_deployments (app_id);

CREATE TRIGGER announce_retired_deployment AFTER INSERT OR UPDATE OR DELETE ON retired_deployments
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');

CREATE TABLE build_deployments (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  build_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'waiting',
  failure text,
  deployment_id uuid,
  CONSTRAINT build_deployments_pkey PRIMARY KEY (id),
  CONSTRAINT build_deployments_build_id_channel_id_key UNIQUE (build_id, channel_id),
  CONSTRAINT build_deployments_status_check CHECK (status IN ('waiting', 'deployed', 'failed')),
  CONSTRAINT build_deployments_failure_check CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CONSTRAINT build_deployments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT build_deployments_build_id_fkey FOREIGN KEY (build_id) REFERENCES builds (id) ON DELETE CASCADE,
  CONSTRAINT build_deployments_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments (id) ON DELETE SET NULL
);
CREATE INDEX build_deployments_app_id_idx ON build_deployments (app_id);
CREATE INDEX build_deployments_deployment_id_idx ON build_deployments (deployment_id);

CALL audit_table('build_deployments',
  '{"type": "build-deployment", "organization": "app", "renamed": {"build_id": "appBuildId", "channel_id": "appChannelId", "deployment_id": "appDeploymentId", "failure": "statusMessage"}}');

CREATE TABLE bundles (
  id uuid NOT NULL,
  app_id uuid NOT NULL,
  channel_id uuid,
  rollout_percentage double precision NOT NULL DEFAULT '1',
  deployment_id uuid,
  url text,
  checksum text,
  signature text,
  signed boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  legal_hold_at timestamptz(3),
  legal_hold_reason text,
  expires_at timestamptz(3),
  rollbacks_cleared_at timestamptz(3),
  CONSTRAINT bundles_pkey PRIMARY KEY (id),
  CONSTRAINT bundles_legal_hold_check CHECK ((legal_hold_at IS NULL) = (legal_hold_reason IS NULL)),
  CONSTRAINT bundles_rollout_percentage_check CHECK (rollout_percentage BETWEEN 0 AND 1),
  CONSTRAINT bundles_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT bundles_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments (id) ON DELETE SET NULL,
  CONSTRAINT bundles_id_fkey FOREIGN KEY (id) REFERENCES build_artifacts (id) ON DELETE CASCADE
);
CREATE INDEX bundles_deployment_id_idx ON bundles (deployment_id);
CREATE INDEX bundles_app_id_created_at_id_idx ON bundles (app_id, created_at, id);

CALL audit_table('bundles',
  '{"type": "bundle", "organization": "app", "renamed": {"channel_id": "appChannelId", "deployment_id": "appDeploymentId"}}');

CREATE TRIGGER announce_bundle AFTER INSERT OR UPDATE OR DELETE ON bundles
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');

-- Rejects the deletion of a bundle under legal hold, and with it that of its build, app or organization.
CREATE FUNCTION refuse_legal_hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the bundle % is under legal hold', OLD.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bundles_legal_hold';
    END
$$;
CREATE TRIGGER bundles_legal_hold BEFORE DELETE ON bundles
  FOR EACH ROW WHEN (OLD.legal_hold_at IS NOT NULL) EXECUTE FUNCTION refuse_legal_hold();

CREATE TABLE bundle_expirations (
  bundle_id uuid NOT NULL,
  unneeded_since timestamptz(3) NOT NULL,
  CONSTRAINT bundle_expirations_pkey PRIMARY KEY (bundle_id),
  CONSTRAINT bundle_expirations_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
);
CREATE INDEX bundle_expirations_unneeded_since_idx ON bundle_expirations (unneeded_since);

CREATE TABLE bundle_files (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  bundle_id uuid NOT NULL,
  href text NOT NULL,
  name text NOT NULL,
  mime_type text NOT NULL,
  size_in_bytes bigint NOT NULL,
  checksum text NOT NULL,
  signature text,
  blob_id uuid,
  CONSTRAINT bundle_files_pkey PRIMARY KEY (id),
  CONSTRAINT bundle_files_bundle_id_href_key UNIQUE (bundle_id, href),
  CONSTRAINT bundle_files_size_in_bytes_check CHECK (size_in_bytes >= 0),
  CONSTRAINT bundle_files_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs (id),
  CONSTRAINT bundle_files_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
);
CREATE INDEX bundle_files_blob_id_idx ON bundle_files (blob_id);

CREATE TRIGGER delete_uploads_of_owners AFTER DELETE ON bundle_files
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_uploads_of_owners();

CREATE TABLE bundle_deltas (
  to_bundle_id uuid NOT NULL,
  from_bundle_id uuid NOT NULL,
  blob_id uuid,
  claimed_until timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT bundle_deltas_pkey PRIMARY KEY (to_bundle_id, from_bundle_id),
  CONSTRAINT bundle_deltas_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs (id) ON DELETE CASCADE,
  CONSTRAINT bundle_deltas_from_bundle_id_fkey FOREIGN KEY (from_bundle_id) REFERENCES bundles (id) ON DELETE CASCADE,
  CONSTRAINT bundle_deltas_to_bundle_id_fkey FOREIGN KEY (to_bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
);
CREATE INDEX bundle_deltas_blob_id_idx ON bundle_deltas (blob_id);
CREATE INDEX bundle_deltas_from_bundle_id_idx ON bundle_deltas (from_bundle_id);

CREATE TABLE generated_zips (
  bundle_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  blob_id uuid,
  checksum text,
  brotli_files_bytes bigint,
  gzip_files_bytes bigint,
  attempts smallint NOT NULL DEFAULT '0',
  claimed_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT generated_zips_pkey PRIMARY KEY (bundle_id),
  CONSTRAINT generated_zips_state_check CHECK (state IN ('pending', 'ready', 'useless')),
  CONSTRAINT generated_zips_ready_check CHECK ((state = 'ready') = (blob_id IS NOT NULL)),
  CONSTRAINT generated_zips_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE,
  CONSTRAINT generated_zips_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs (id)
);
CREATE INDEX generated_zips_blob_id_idx ON generated_zips (blob_id);
CREATE INDEX generated_zips_pending_idx ON generated_zips (created_at, bundle_id) WHERE state = 'pending';

CREATE FUNCTION announce_generated_zip() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              PERFORM pg_notify('releases', app_id::text) FROM bundles WHERE id = NEW.bundle_id;
              RETURN NULL;
            END $$;
CREATE TRIGGER announce_generated_zip AFTER UPDATE OF state ON generated_zips
  FOR EACH ROW WHEN ((OLD.state = 'ready') <> (NEW.state = 'ready'))
  EXECUTE FUNCTION announce_generated_zip();

-- Damaged and repaired files change the releases of the apps whose bundles use them.
CREATE FUNCTION announce_damage() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              PERFORM pg_notify('releases', app_id::text)
                 FROM (SELECT DISTINCT bundle.app_id
                         FROM (SELECT bundle_id FROM bundle_files WHERE blob_id = NEW.id UNION SELECT bundle_id FROM generated_zips WHERE blob_id = NEW.id) AS file JOIN bundles AS bundle ON bundle.id = file.bundle_id) AS app;
              RETURN NULL;
            END $$;
CREATE TRIGGER announce_damage AFTER UPDATE OF damaged_at ON blobs
  FOR EACH ROW WHEN ((OLD.damaged_at IS NULL) <> (NEW.damaged_at IS NULL))
  EXECUTE FUNCTION announce_damage();

CREATE TABLE plain_manifests (
  bundle_id uuid NOT NULL,
  app_id uuid NOT NULL,
  build_number integer NOT NULL,
  offered boolean NOT NULL,
  files bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  unneeded_since timestamptz(3),
  CONSTRAINT plain_manifests_pkey PRIMARY KEY (bundle_id),
  CONSTRAINT plain_manifests_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);
CREATE INDEX plain_manifests_app_id_idx ON plain_manifests (app_id);

CREATE TABLE manifest_comparisons (
  bundle_id uuid NOT NULL,
  compared boolean NOT NULL,
  attempted_at timestamptz(3),
  CONSTRAINT manifest_comparisons_pkey PRIMARY KEY (bundle_id),
  CONSTRAINT manifest_comparisons_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE
);

CREATE TABLE unsafe_reuses (
  bundle_id uuid NOT NULL,
  running_bundle_id uuid NOT NULL,
  app_id uuid NOT NULL,
  kind text NOT NULL,
  href text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT unsafe_reuses_pkey PRIMARY KEY (bundle_id, running_bundle_id),
  CONSTRAINT unsafe_reuses_kind_check CHECK (kind IN ('content', 'absent')),
  CONSTRAINT unsafe_reuses_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles (id) ON DELETE CASCADE,
  CONSTRAINT unsafe_reuses_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);
CREATE INDEX unsafe_reuses_app_id_idx ON unsafe_reuses (app_id);

CREATE TRIGGER announce_unsafe_reuse AFTER INSERT OR UPDATE OR DELETE ON unsafe_reuses
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');
