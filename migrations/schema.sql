-- The tables, with their constraints and indexes, by name; foreign keys follow at the end.

CREATE TABLE apps (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  default_channel_id uuid,
  channel_discovery_enabled boolean DEFAULT false NOT NULL,
  next_build_number integer DEFAULT 1 NOT NULL,
  last_build_number integer DEFAULT 0 NOT NULL,
  public_keys text[] DEFAULT '{}'::text[] NOT NULL,
  custom_id_hashing boolean DEFAULT false NOT NULL,
  device_retention_days integer,
  bundle_retention_count integer,
  CONSTRAINT apps_bundle_retention_count_check CHECK (((bundle_retention_count >= 1) AND (bundle_retention_count <= 1000))),
  CONSTRAINT apps_device_retention_days_check CHECK (((device_retention_days >= 1) AND (device_retention_days <= 3650))),
  CONSTRAINT apps_next_build_number_check CHECK ((next_build_number > last_build_number)),
  CONSTRAINT apps_type_check CHECK ((type = ANY (ARRAY['android'::text, 'capacitor'::text, 'cordova'::text, 'ios'::text]))),
  CONSTRAINT apps_pkey PRIMARY KEY (id)
);
CREATE INDEX apps_default_channel_id_idx ON apps (default_channel_id);
CREATE INDEX apps_organization_id_name_idx ON apps (organization_id, name);

CREATE TABLE blob_variants (
  blob_id uuid NOT NULL,
  encoding text NOT NULL,
  state text DEFAULT 'pending'::text NOT NULL,
  object_id uuid,
  size_in_bytes bigint,
  attempts smallint DEFAULT '0'::smallint NOT NULL,
  claimed_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT blob_variants_encoding_check CHECK ((encoding = 'br'::text)),
  CONSTRAINT blob_variants_ready_check CHECK ((((state = 'ready'::text) = (object_id IS NOT NULL)) AND ((state = 'ready'::text) = (size_in_bytes IS NOT NULL)))),
  CONSTRAINT blob_variants_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'ready'::text, 'useless'::text]))),
  CONSTRAINT blob_variants_object_id_key UNIQUE (object_id),
  CONSTRAINT blob_variants_pkey PRIMARY KEY (blob_id, encoding)
);
CREATE INDEX blob_variants_pending_idx ON blob_variants (created_at, blob_id) WHERE (state = 'pending'::text);

CREATE TABLE blobs (
  id uuid NOT NULL,
  organization_id uuid,
  sha256 text NOT NULL,
  size_in_bytes bigint NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  verified_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  damaged_at timestamp(3) with time zone,
  damage text,
  scrub_started_at timestamp(3) with time zone,
  unreferenced_since timestamp(3) with time zone,
  CONSTRAINT blobs_damage_check CHECK ((damage = ANY (ARRAY['missing'::text, 'size'::text, 'checksum'::text]))),
  CONSTRAINT blobs_damaged_at_check CHECK (((damaged_at IS NULL) = (damage IS NULL))),
  CONSTRAINT blobs_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT blobs_size_in_bytes_check CHECK ((size_in_bytes >= 0)),
  CONSTRAINT blobs_organization_id_sha256_key UNIQUE (organization_id, sha256),
  CONSTRAINT blobs_pkey PRIMARY KEY (id)
);
CREATE INDEX blobs_damaged_at_idx ON blobs (damaged_at) WHERE (damaged_at IS NOT NULL);
CREATE INDEX blobs_unreferenced_since_idx ON blobs (unreferenced_since) WHERE (unreferenced_since IS NOT NULL);
CREATE INDEX blobs_verified_at_idx ON blobs (verified_at);

CREATE TABLE build_artifacts (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  build_id uuid NOT NULL,
  type text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  blob_id uuid,
  file_name text,
  file_mime_type text,
  file_size_in_bytes bigint,
  total_size_in_bytes bigint,
  total_downloads integer DEFAULT 0 NOT NULL,
  CONSTRAINT build_artifacts_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text]))),
  CONSTRAINT build_artifacts_type_check CHECK ((type = ANY (ARRAY['aab'::text, 'apk'::text, 'app'::text, 'dsym'::text, 'ipa'::text, 'manifest'::text, 'xcarchive'::text, 'zip'::text]))),
  CONSTRAINT build_artifacts_pkey PRIMARY KEY (id)
);
CREATE INDEX build_artifacts_blob_id_idx ON build_artifacts (blob_id);
CREATE INDEX build_artifacts_build_id_idx ON build_artifacts (build_id);

CREATE TABLE builds (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  app_id uuid NOT NULL,
  number integer NOT NULL,
  platform text NOT NULL,
  type text,
  git_ref text,
  git_commit_message text,
  git_commit_ref text,
  git_commit_sha text,
  display_name text,
  package_name text,
  package_version text,
  custom_properties jsonb,
  min_android_app_version_code text,
  max_android_app_version_code text,
  eq_android_app_version_code text,
  min_ios_app_version_code text,
  max_ios_app_version_code text,
  eq_ios_app_version_code text,
  min_electron_app_version_code text,
  max_electron_app_version_code text,
  eq_electron_app_version_code text,
  CONSTRAINT builds_platform_check CHECK ((platform = ANY (ARRAY['android'::text, 'ios'::text, 'web'::text]))),
  CONSTRAINT builds_app_id_number_key UNIQUE (app_id, number),
  CONSTRAINT builds_pkey PRIMARY KEY (id)
);
CREATE INDEX builds_app_id_created_at_id_idx ON builds (app_id, created_at, id);

CREATE TABLE bundle_deltas (
  to_bundle_id uuid NOT NULL,
  from_bundle_id uuid NOT NULL,
  blob_id uuid,
  claimed_until timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT bundle_deltas_pkey PRIMARY KEY (to_bundle_id, from_bundle_id)
);
CREATE INDEX bundle_deltas_blob_id_idx ON bundle_deltas (blob_id);
CREATE INDEX bundle_deltas_from_bundle_id_idx ON bundle_deltas (from_bundle_id);

CREATE TABLE bundle_expirations (
  bundle_id uuid NOT NULL,
  unneeded_since timestamp(3) with time zone NOT NULL,
  CONSTRAINT bundle_expirations_pkey PRIMARY KEY (bundle_id)
);
CREATE INDEX bundle_expirations_unneeded_since_idx ON bundle_expirations (unneeded_since);

CREATE TABLE bundle_files (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  bundle_id uuid NOT NULL,
  href text NOT NULL,
  name text NOT NULL,
  mime_type text NOT NULL,
  size_in_bytes bigint NOT NULL,
  checksum text NOT NULL,
  signature text,
  blob_id uuid,
  CONSTRAINT bundle_files_size_in_bytes_check CHECK ((size_in_bytes >= 0)),
  CONSTRAINT bundle_files_bundle_id_href_key UNIQUE (bundle_id, href),
  CONSTRAINT bundle_files_pkey PRIMARY KEY (id)
);
CREATE INDEX bundle_files_blob_id_idx ON bundle_files (blob_id);

CREATE TABLE bundles (
  id uuid NOT NULL,
  app_id uuid NOT NULL,
  channel_id uuid,
  rollout_percentage double precision DEFAULT '1'::double precision NOT NULL,
  deployment_id uuid,
  url text,
  checksum text,
  signature text,
  signed boolean DEFAULT false NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  legal_hold_at timestamp(3) with time zone,
  legal_hold_reason text,
  CONSTRAINT bundles_legal_hold_check CHECK (((legal_hold_at IS NULL) = (legal_hold_reason IS NULL))),
  CONSTRAINT bundles_rollout_percentage_check CHECK (((rollout_percentage >= (0)::double precision) AND (rollout_percentage <= (1)::double precision))),
  CONSTRAINT bundles_pkey PRIMARY KEY (id)
);
CREATE INDEX bundles_app_id_idx ON bundles (app_id);
CREATE INDEX bundles_deployment_id_idx ON bundles (deployment_id);

CREATE TABLE channels (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  app_id uuid NOT NULL,
  name text NOT NULL,
  name_lower text NOT NULL,
  expires_at timestamp(3) with time zone,
  paused_at timestamp(3) with time zone,
  protected_at timestamp(3) with time zone,
  required_approvals smallint DEFAULT '0'::smallint NOT NULL,
  freeze_windows jsonb DEFAULT '[]'::jsonb NOT NULL,
  bundle_retention_count integer,
  CONSTRAINT channels_bundle_retention_count_check CHECK (((bundle_retention_count >= 1) AND (bundle_retention_count <= 1000))),
  CONSTRAINT channels_required_approvals_check CHECK (((required_approvals >= 0) AND (required_approvals <= 5))),
  CONSTRAINT channels_app_id_name_lower_key UNIQUE (app_id, name_lower),
  CONSTRAINT channels_pkey PRIMARY KEY (id)
);

CREATE TABLE custom_id_keys (
  id uuid NOT NULL,
  sealed_key text NOT NULL,
  CONSTRAINT custom_id_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE deleted_objects (
  id uuid NOT NULL,
  deleted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT deleted_objects_pkey PRIMARY KEY (id)
);
CREATE INDEX deleted_objects_deleted_at_idx ON deleted_objects (deleted_at);

CREATE TABLE deployment_approvals (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  app_id uuid NOT NULL,
  deployment_id uuid NOT NULL,
  user_id uuid NOT NULL,
  decision text NOT NULL,
  comment text,
  CONSTRAINT deployment_approvals_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'rejected'::text]))),
  CONSTRAINT deployment_approvals_deployment_id_user_id_key UNIQUE (deployment_id, user_id),
  CONSTRAINT deployment_approvals_pkey PRIMARY KEY (id)
);
CREATE INDEX deployment_approvals_app_id_idx ON deployment_approvals (app_id);
CREATE INDEX deployment_approvals_user_id_idx ON deployment_approvals (user_id);

CREATE TABLE deployments (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  app_id uuid NOT NULL,
  build_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  rollout_percentage double precision DEFAULT '1'::double precision NOT NULL,
  sequence bigserial NOT NULL,
  approval_status text DEFAULT 'approved'::text NOT NULL,
  required_approvals smallint DEFAULT '0'::smallint NOT NULL,
  created_by_user_id uuid,
  emergency_at timestamp(3) with time zone,
  emergency_by_user_id uuid,
  emergency_reason text,
  CONSTRAINT deployments_approval_status_check CHECK ((approval_status = ANY (ARRAY['approved'::text, 'pending'::text, 'rejected'::text]))),
  CONSTRAINT deployments_required_approvals_check CHECK (((required_approvals >= 0) AND (required_approvals <= 5))),
  CONSTRAINT deployments_rollout_percentage_check CHECK (((rollout_percentage >= (0)::double precision) AND (rollout_percentage <= (1)::double precision))),
  CONSTRAINT deployments_pkey PRIMARY KEY (id)
);
CREATE INDEX deployments_app_id_sequence_id_idx ON deployments (app_id, sequence, id);
CREATE INDEX deployments_build_id_idx ON deployments (build_id);
CREATE INDEX deployments_channel_id_sequence_idx ON deployments (channel_id, sequence);
CREATE INDEX deployments_created_by_user_id_idx ON deployments (created_by_user_id);
CREATE INDEX deployments_emergency_by_user_id_idx ON deployments (emergency_by_user_id);
CREATE INDEX deployments_pending_idx ON deployments (channel_id, sequence) WHERE (approval_status = 'pending'::text);

CREATE TABLE device_counts (
  app_id uuid NOT NULL,
  dimension text NOT NULL,
  day date NOT NULL,
  others boolean NOT NULL,
  value text NOT NULL,
  daily integer NOT NULL,
  weekly integer NOT NULL,
  monthly integer NOT NULL,
  CONSTRAINT device_counts_pkey PRIMARY KEY (app_id, dimension, day, others, value)
);

CREATE TABLE devices (
  app_id uuid NOT NULL,
  id text NOT NULL,
  platform smallint NOT NULL,
  app_version_code text NOT NULL,
  app_version_name text NOT NULL,
  os_version text NOT NULL,
  plugin_version text NOT NULL,
  custom_id text,
  runtime text,
  country text,
  channel_id uuid,
  forced_channel_id uuid,
  deployment_id uuid,
  last_seen_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  requested_channel_names text[] DEFAULT '{}'::text[] NOT NULL,
  custom_id_hashed boolean DEFAULT false NOT NULL,
  bundle_id uuid,
  seen_days bigint DEFAULT '1'::bigint NOT NULL,
  offered_at timestamp(3) with time zone,
  applied_at timestamp(3) with time zone,
  rolled_back_at timestamp(3) with time zone,
  CONSTRAINT devices_platform_check CHECK (((platform >= 0) AND (platform <= 2))),
  CONSTRAINT devices_pkey PRIMARY KEY (app_id, id)
);
CREATE INDEX devices_app_id_custom_id_idx ON devices (app_id, custom_id) WHERE (custom_id IS NOT NULL);
CREATE INDEX devices_app_id_last_seen_at_id_idx ON devices (app_id, last_seen_at, id);
CREATE INDEX devices_bundle_id_idx ON devices (bundle_id) WHERE (bundle_id IS NOT NULL);
CREATE INDEX devices_channel_id_idx ON devices (channel_id);
CREATE INDEX devices_deployment_id_idx ON devices (deployment_id);
CREATE INDEX devices_forced_channel_id_idx ON devices (forced_channel_id) WHERE (forced_channel_id IS NOT NULL);

CREATE TABLE download_counts (
  artifact_id uuid NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  app_id uuid NOT NULL,
  downloads bigint NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT download_counts_pkey PRIMARY KEY (artifact_id, day, kind)
);
CREATE INDEX download_counts_app_id_day_idx ON download_counts (app_id, day);

CREATE TABLE uploads (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  owner_id uuid NOT NULL,
  completed_at timestamp(3) with time zone,
  CONSTRAINT uploads_pkey PRIMARY KEY (id)
);
CREATE INDEX uploads_owner_id_idx ON uploads (owner_id);

CREATE TABLE invitations (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  organization_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  inviter_id uuid,
  expires_at timestamp(3) with time zone NOT NULL,
  mailed_at timestamp(3) with time zone,
  mail_error text,
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'billing'::text, 'member'::text, 'viewer'::text]))),
  CONSTRAINT invitations_status_check CHECK ((status = ANY (ARRAY['accepted'::text, 'canceled'::text, 'pending'::text, 'rejected'::text]))),
  CONSTRAINT invitations_pkey PRIMARY KEY (id)
);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE INDEX invitations_inviter_id_idx ON invitations (inviter_id);
CREATE INDEX invitations_organization_id_created_at_id_idx ON invitations (organization_id, created_at, id);
CREATE UNIQUE INDEX invitations_pending_key ON invitations (organization_id, email) WHERE (status = 'pending'::text);

CREATE TABLE license_key_packages (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  license_key_id uuid NOT NULL,
  package_id uuid NOT NULL,
  CONSTRAINT license_key_packages_license_key_id_package_id_key UNIQUE (license_key_id, package_id),
  CONSTRAINT license_key_packages_pkey PRIMARY KEY (id)
);

CREATE TABLE license_keys (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  key_hash text NOT NULL,
  sealed_key text NOT NULL,
  expires_at timestamp(3) with time zone,
  packages_changed_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT license_keys_key_hash_check CHECK ((char_length(key_hash) = 64)),
  CONSTRAINT license_keys_sealed_key_check CHECK ((sealed_key ~~ 'v1.%'::text)),
  CONSTRAINT license_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT license_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX license_keys_organization_id_idx ON license_keys (organization_id);

CREATE TABLE members (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  last_seen_at timestamp(3) with time zone,
  from_groups boolean DEFAULT false NOT NULL,
  CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'billing'::text, 'member'::text, 'viewer'::text]))),
  CONSTRAINT members_organization_id_user_id_key UNIQUE (organization_id, user_id),
  CONSTRAINT members_pkey PRIMARY KEY (id)
);
CREATE INDEX members_user_id_idx ON members (user_id);

CREATE TABLE organizations (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  logo text,
  country_allowlist text[],
  ip_allowlist text[],
  two_factor_required boolean DEFAULT false NOT NULL,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_slug_key UNIQUE (slug)
);

CREATE TABLE passwords (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  user_id uuid NOT NULL,
  hash text NOT NULL,
  CONSTRAINT passwords_pkey PRIMARY KEY (id),
  CONSTRAINT passwords_user_id_key UNIQUE (user_id)
);

CREATE UNLOGGED TABLE rate_counts (
  window_start timestamp(0) with time zone NOT NULL,
  key text NOT NULL,
  count integer NOT NULL,
  CONSTRAINT rate_counts_pkey PRIMARY KEY (window_start, key)
);

CREATE TABLE recovery_codes (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  user_id uuid NOT NULL,
  hash text NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (id),
  CONSTRAINT recovery_codes_user_id_hash_key UNIQUE (user_id, hash)
);

CREATE TABLE rollout_plans (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  app_id uuid NOT NULL,
  deployment_id uuid NOT NULL,
  steps jsonb NOT NULL,
  health_gate jsonb,
  state text NOT NULL,
  reason text,
  state_since timestamp(3) with time zone NOT NULL,
  step_index smallint,
  step_started_at timestamp(3) with time zone,
  step_ends_at timestamp(3) with time zone,
  next_check_at timestamp(3) with time zone,
  observed_since timestamp(3) with time zone,
  frozen_until timestamp(3) with time zone,
  evidence jsonb,
  CONSTRAINT rollout_plans_next_check_check CHECK (((next_check_at IS NOT NULL) = (state = 'running'::text))),
  CONSTRAINT rollout_plans_reason_check CHECK ((reason = ANY (ARRAY['person'::text, 'health-gate'::text, 'share-changed'::text, 'superseded'::text]))),
  CONSTRAINT rollout_plans_reason_state_check CHECK (((reason IS NOT NULL) = (state = ANY (ARRAY['held'::text, 'aborted'::text])))),
  CONSTRAINT rollout_plans_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'running'::text, 'held'::text, 'completed'::text, 'aborted'::text]))),
  CONSTRAINT rollout_plans_deployment_id_key UNIQUE (deployment_id),
  CONSTRAINT rollout_plans_pkey PRIMARY KEY (id)
);
CREATE INDEX rollout_plans_app_id_idx ON rollout_plans (app_id);

CREATE TABLE session_codes (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  hash text NOT NULL,
  code text NOT NULL,
  status text DEFAULT 'created'::text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  address text NOT NULL,
  user_agent text,
  user_id uuid,
  method text,
  second_factor_at timestamp(3) with time zone,
  CONSTRAINT session_codes_status_check CHECK ((status = ANY (ARRAY['created'::text, 'approved'::text, 'denied'::text, 'consumed'::text]))),
  CONSTRAINT session_codes_user_check CHECK (((status = 'created'::text) = (user_id IS NULL))),
  CONSTRAINT session_codes_code_key UNIQUE (code),
  CONSTRAINT session_codes_hash_key UNIQUE (hash),
  CONSTRAINT session_codes_pkey PRIMARY KEY (id)
);
CREATE INDEX session_codes_expires_at_idx ON session_codes (expires_at);
CREATE INDEX session_codes_user_id_idx ON session_codes (user_id);

CREATE TABLE sessions (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  hash text NOT NULL,
  address text NOT NULL,
  user_agent text,
  last_used_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  method text DEFAULT 'password'::text NOT NULL,
  second_factor_at timestamp(3) with time zone,
  CONSTRAINT sessions_kind_check CHECK ((kind = ANY (ARRAY['device'::text, 'browser'::text]))),
  CONSTRAINT sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'oidc'::text]))),
  CONSTRAINT sessions_hash_key UNIQUE (hash),
  CONSTRAINT sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CREATE TABLE sign_in_attempts (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  key text NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamp(3) with time zone NOT NULL,
  succeeded_at timestamp(3) with time zone,
  CONSTRAINT sign_in_attempts_key_key UNIQUE (key),
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_attempts_updated_at_idx ON sign_in_attempts (updated_at);

CREATE TABLE stored_responses (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  token_id uuid NOT NULL,
  route_hash text NOT NULL,
  key text,
  body_hash text NOT NULL,
  status smallint,
  sealed_body text,
  redelivered_at timestamp(3) with time zone,
  CONSTRAINT stored_responses_pkey PRIMARY KEY (id),
  CONSTRAINT stored_responses_token_id_route_hash_key_key UNIQUE (token_id, route_hash, key)
);
CREATE INDEX stored_responses_created_at_idx ON stored_responses (created_at);

CREATE TABLE team_apps (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  team_id uuid NOT NULL,
  app_id uuid NOT NULL,
  CONSTRAINT team_apps_pkey PRIMARY KEY (id),
  CONSTRAINT team_apps_team_id_app_id_key UNIQUE (team_id, app_id)
);
CREATE INDEX team_apps_app_id_idx ON team_apps (app_id);

CREATE TABLE team_members (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  team_id uuid NOT NULL,
  member_id uuid NOT NULL,
  CONSTRAINT team_members_pkey PRIMARY KEY (id),
  CONSTRAINT team_members_team_id_member_id_key UNIQUE (team_id, member_id)
);
CREATE INDEX team_members_member_id_idx ON team_members (member_id);

CREATE TABLE teams (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  name_lower text NOT NULL,
  description text,
  CONSTRAINT teams_organization_id_name_lower_key UNIQUE (organization_id, name_lower),
  CONSTRAINT teams_pkey PRIMARY KEY (id)
);

CREATE TABLE tokens (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  last_four text,
  previous_hash text,
  previous_expires_at timestamp(3) with time zone,
  permissions jsonb DEFAULT '"all"'::jsonb NOT NULL,
  organization_ids uuid[],
  app_ids uuid[],
  last_used_address text,
  last_used_client text,
  second_factor_at timestamp(3) with time zone,
  CONSTRAINT tokens_app_ids_check CHECK ((cardinality(app_ids) > 0)),
  CONSTRAINT tokens_last_four_check CHECK ((char_length(last_four) = 4)),
  CONSTRAINT tokens_last_used_client_check CHECK ((char_length(last_used_client) <= 255)),
  CONSTRAINT tokens_organization_ids_check CHECK ((cardinality(organization_ids) > 0)),
  CONSTRAINT tokens_permissions_check CHECK (((permissions = ANY (ARRAY['"all"'::jsonb, '"read-only"'::jsonb])) OR ((jsonb_typeof(permissions) = 'array'::text) AND (permissions <> '[]'::jsonb)))),
  CONSTRAINT tokens_previous_hash_check CHECK (((previous_hash IS NULL) = (previous_expires_at IS NULL))),
  CONSTRAINT tokens_hash_key UNIQUE (hash),
  CONSTRAINT tokens_pkey PRIMARY KEY (id),
  CONSTRAINT tokens_previous_hash_key UNIQUE (previous_hash)
);
CREATE INDEX tokens_user_id_idx ON tokens (user_id);

CREATE TABLE two_factors (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  user_id uuid NOT NULL,
  secret text NOT NULL,
  last_step integer NOT NULL,
  CONSTRAINT two_factors_pkey PRIMARY KEY (id),
  CONSTRAINT two_factors_user_id_key UNIQUE (user_id)
);

CREATE TABLE upload_parts (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  upload_id uuid NOT NULL,
  part_number integer NOT NULL,
  sha256 text NOT NULL,
  CONSTRAINT upload_parts_upload_id_part_number_sha256_key UNIQUE (upload_id, part_number, sha256),
  CONSTRAINT upload_parts_pkey PRIMARY KEY (id)
);

CREATE TABLE user_identities (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  user_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  CONSTRAINT user_identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT user_identities_pkey PRIMARY KEY (id),
  CONSTRAINT user_identities_user_id_issuer_key UNIQUE (user_id, issuer)
);

CREATE TABLE users (
  id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  email text NOT NULL,
  email_verified boolean DEFAULT false NOT NULL,
  name text,
  image text,
  two_factor_enabled boolean DEFAULT false NOT NULL,
  last_seen_at timestamp(3) with time zone,
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

ALTER TABLE apps
  ADD CONSTRAINT apps_default_channel_id_fkey FOREIGN KEY (default_channel_id) REFERENCES channels(id) ON DELETE SET NULL,
  ADD CONSTRAINT apps_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;

ALTER TABLE blob_variants
  ADD CONSTRAINT blob_variants_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE CASCADE;

ALTER TABLE blobs
  ADD CONSTRAINT blobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE SET NULL;

ALTER TABLE build_artifacts
  ADD CONSTRAINT build_artifacts_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id),
  ADD CONSTRAINT build_artifacts_build_id_fkey FOREIGN KEY (build_id) REFERENCES builds(id) ON DELETE CASCADE;

ALTER TABLE builds
  ADD CONSTRAINT builds_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE;

ALTER TABLE bundle_deltas
  ADD CONSTRAINT bundle_deltas_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE CASCADE,
  ADD CONSTRAINT bundle_deltas_from_bundle_id_fkey FOREIGN KEY (from_bundle_id) REFERENCES bundles(id) ON DELETE CASCADE,
  ADD CONSTRAINT bundle_deltas_to_bundle_id_fkey FOREIGN KEY (to_bundle_id) REFERENCES bundles(id) ON DELETE CASCADE;

ALTER TABLE bundle_expirations
  ADD CONSTRAINT bundle_expirations_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles(id) ON DELETE CASCADE;

ALTER TABLE bundle_files
  ADD CONSTRAINT bundle_files_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id),
  ADD CONSTRAINT bundle_files_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES bundles(id) ON DELETE CASCADE;

ALTER TABLE bundles
  ADD CONSTRAINT bundles_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT bundles_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id) ON DELETE SET NULL,
  ADD CONSTRAINT bundles_id_fkey FOREIGN KEY (id) REFERENCES build_artifacts(id) ON DELETE CASCADE;

ALTER TABLE channels
  ADD CONSTRAINT channels_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE;

ALTER TABLE custom_id_keys
  ADD CONSTRAINT custom_id_keys_id_fkey FOREIGN KEY (id) REFERENCES apps(id) ON DELETE CASCADE;

ALTER TABLE deployment_approvals
  ADD CONSTRAINT deployment_approvals_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT deployment_approvals_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id) ON DELETE CASCADE,
  ADD CONSTRAINT deployment_approvals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE deployments
  ADD CONSTRAINT deployments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT deployments_build_id_fkey FOREIGN KEY (build_id) REFERENCES builds(id) ON DELETE CASCADE,
  ADD CONSTRAINT deployments_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  ADD CONSTRAINT deployments_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES users(id) ON DELETE SET NULL,
  ADD CONSTRAINT deployments_emergency_by_user_id_fkey FOREIGN KEY (emergency_by_user_id) REFERENCES users(id) ON DELETE SET NULL;

ALTER TABLE device_counts
  ADD CONSTRAINT device_counts_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE;

ALTER TABLE devices
  ADD CONSTRAINT devices_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT devices_forced_channel_id_fkey FOREIGN KEY (forced_channel_id) REFERENCES channels(id) ON DELETE SET NULL;

ALTER TABLE download_counts
  ADD CONSTRAINT download_counts_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE;


ALTER TABLE invitations
  ADD CONSTRAINT invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES users(id) ON DELETE SET NULL,
  ADD CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;

ALTER TABLE license_key_packages
  ADD CONSTRAINT license_key_packages_license_key_id_fkey FOREIGN KEY (license_key_id) REFERENCES license_keys(id) ON DELETE CASCADE;

ALTER TABLE license_keys
  ADD CONSTRAINT license_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;

ALTER TABLE members
  ADD CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE passwords
  ADD CONSTRAINT passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE recovery_codes
  ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE rollout_plans
  ADD CONSTRAINT rollout_plans_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT rollout_plans_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id) ON DELETE CASCADE;

ALTER TABLE session_codes
  ADD CONSTRAINT session_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE sessions
  ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE team_apps
  ADD CONSTRAINT team_apps_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  ADD CONSTRAINT team_apps_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;

ALTER TABLE team_members
  ADD CONSTRAINT team_members_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  ADD CONSTRAINT team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;

ALTER TABLE teams
  ADD CONSTRAINT teams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;

ALTER TABLE tokens
  ADD CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE two_factors
  ADD CONSTRAINT two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE upload_parts
  ADD CONSTRAINT upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE;

ALTER TABLE user_identities
  ADD CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
