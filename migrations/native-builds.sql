-- What builds use, builds, and what they make.

CREATE TABLE environments (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  name text NOT NULL,
  name_lower text NOT NULL,
  allowed_refs text[] NOT NULL DEFAULT '{}',
  protected boolean NOT NULL DEFAULT false,
  CONSTRAINT environments_pkey PRIMARY KEY (id),
  CONSTRAINT environments_app_id_name_lower_key UNIQUE (app_id, name_lower),
  CONSTRAINT environments_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);

ALTER TABLE apps
  ADD CONSTRAINT apps_app_environment_id_fkey FOREIGN KEY (app_environment_id) REFERENCES environments (id) ON DELETE SET NULL;

CALL audit_table('environments',
  '{"type": "environment", "organization": "app", "name": "name", "ignored": ["name_lower"]}');

CREATE TABLE environment_variables (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  CONSTRAINT environment_variables_pkey PRIMARY KEY (id),
  CONSTRAINT environment_variables_environment_id_key_key UNIQUE (environment_id, key),
  CONSTRAINT environment_variables_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT environment_variables_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
);
CREATE INDEX environment_variables_app_id_idx ON environment_variables (app_id);

-- The log hides values of variables, too: it cannot be changed, and a variable may hold by mistake what should have been a
-- secret.
CALL audit_table('environment_variables',
  '{"type": "environment-variable", "organization": "app", "name": "key", "secret": ["value"], "renamed": {"environment_id": "appEnvironmentId"}}');

CREATE TABLE environment_secrets (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  environment_id uuid NOT NULL,
  key text NOT NULL,
  sealed_value text NOT NULL,
  masked boolean NOT NULL,
  CONSTRAINT environment_secrets_pkey PRIMARY KEY (id),
  CONSTRAINT environment_secrets_environment_id_key_key UNIQUE (environment_id, key),
  CONSTRAINT environment_secrets_sealed_value_check CHECK (sealed_value LIKE 'v1.%'),
  CONSTRAINT environment_secrets_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT environment_secrets_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
);
CREATE INDEX environment_secrets_app_id_idx ON environment_secrets (app_id);

CALL audit_table('environment_secrets',
  '{"type": "environment-secret", "organization": "app", "name": "key", "secret": ["sealed_value"], "renamed": {"environment_id": "appEnvironmentId", "sealed_value": "value"}}');

CREATE TABLE configurations (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  name text NOT NULL,
  name_lower text NOT NULL,
  display_name text,
  package_name text,
  created_by_user_id uuid,
  updated_by_user_id uuid,
  CONSTRAINT configurations_pkey PRIMARY KEY (id),
  CONSTRAINT configurations_app_id_name_lower_key UNIQUE (app_id, name_lower),
  CONSTRAINT configurations_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT configurations_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT configurations_updated_by_user_id_fkey FOREIGN KEY (updated_by_user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX configurations_created_by_user_id_idx ON configurations (created_by_user_id);
CREATE INDEX configurations_updated_by_user_id_idx ON configurations (updated_by_user_id);

CALL audit_table('configurations',
  '{"type": "configuration", "organization": "app", "name": "name", "ignored": ["name_lower"], "renamed": {"created_by_user_id": "createdBy", "updated_by_user_id": "updatedBy"}}');

CREATE TABLE certificates (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  name text NOT NULL,
  name_lower text NOT NULL,
  platform text NOT NULL,
  type text NOT NULL,
  file_name text NOT NULL,
  file_mime_type text NOT NULL,
  file_size_in_bytes integer NOT NULL,
  expires_at timestamptz(3),
  key_alias text,
  sealed_file text NOT NULL,
  sealed_password text,
  sealed_key_password text,
  allowed_refs text[] NOT NULL DEFAULT '{}',
  protected boolean NOT NULL DEFAULT false,
  created_by_user_id uuid,
  updated_by_user_id uuid,
  CONSTRAINT certificates_pkey PRIMARY KEY (id),
  CONSTRAINT certificates_app_id_platform_type_name_lower_key UNIQUE (app_id, platform, type, name_lower),
  CONSTRAINT certificates_platform_check CHECK (platform IN ('android', 'ios', 'web')),
  CONSTRAINT certificates_type_check CHECK (type IN ('development', 'production')),
  CONSTRAINT certificates_sealed_key_password_check CHECK (sealed_key_password LIKE 'v1.%'),
  CONSTRAINT certificates_sealed_password_check CHECK (sealed_password LIKE 'v1.%'),
  CONSTRAINT certificates_sealed_file_check CHECK (sealed_file LIKE 'v1.%'),
  CONSTRAINT certificates_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT certificates_created_by_user_id_fkey FOREIGN KEY (created_by_user_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT certificates_updated_by_user_id_fkey FOREIGN KEY (updated_by_user_id) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX certificates_created_by_user_id_idx ON certificates (created_by_user_id);
CREATE INDEX certificates_updated_by_user_id_idx ON certificates (updated_by_user_id);
CREATE INDEX certificates_app_id_name_lower_idx ON certificates (app_id, name_lower);

CALL audit_table('certificates',
  '{"type": "certificate", "organization": "app", "name": "name", "ignored": ["name_lower"], "secret": ["sealed_file", "sealed_password", "sealed_key_password"], "renamed": {"created_by_user_id": "createdBy", "updated_by_user_id": "updatedBy", "sealed_file": "file", "sealed_password": "password", "sealed_key_password": "keyPassword"}}');

CREATE TABLE build_sources (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  size_in_bytes bigint,
  file_url text,
  failure text,
  fetches integer NOT NULL DEFAULT 0,
  blob_id uuid,
  created_by uuid,
  CONSTRAINT build_sources_pkey PRIMARY KEY (id),
  CONSTRAINT build_sources_status_check CHECK (status IN ('pending', 'ready')),
  CONSTRAINT build_sources_blob_id_check CHECK (status <> 'ready' OR blob_id IS NOT NULL),
  CONSTRAINT build_sources_size_in_bytes_check CHECK (size_in_bytes >= 0),
  CONSTRAINT build_sources_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT build_sources_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs (id),
  CONSTRAINT build_sources_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX build_sources_blob_id_idx ON build_sources (blob_id);
CREATE INDEX build_sources_created_by_idx ON build_sources (created_by);
CREATE INDEX build_sources_app_id_created_at_idx ON build_sources (app_id, created_at);

CREATE TRIGGER delete_uploads_of_owners AFTER DELETE ON build_sources
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_uploads_of_owners();

CALL audit_table('build_sources',
  '{"type": "build-source", "organization": "app", "secret": ["file_url"], "ignored": ["blob_id", "fetches"], "renamed": {"size_in_bytes": "fileSizeInBytes", "failure": "statusMessage"}}');

CREATE TABLE builds (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
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
  job_id uuid,
  build_source_id uuid,
  environment_id uuid,
  certificate_id uuid,
  configuration_id uuid,
  automation_id uuid,
  sealed_ad_hoc_variables text,
  release_notes jsonb,
  created_by uuid,
  git_ref_full_name text,
  is_default_branch boolean NOT NULL DEFAULT false,
  CONSTRAINT builds_pkey PRIMARY KEY (id),
  CONSTRAINT builds_app_id_number_key UNIQUE (app_id, number),
  CONSTRAINT builds_job_id_key UNIQUE (job_id),
  CONSTRAINT builds_platform_check CHECK (platform IN ('android', 'ios', 'web')),
  CONSTRAINT builds_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT builds_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs (id) ON DELETE SET NULL,
  CONSTRAINT builds_build_source_id_fkey FOREIGN KEY (build_source_id) REFERENCES build_sources (id) ON DELETE SET NULL,
  CONSTRAINT builds_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE SET NULL,
  CONSTRAINT builds_certificate_id_fkey FOREIGN KEY (certificate_id) REFERENCES certificates (id) ON DELETE SET NULL,
  CONSTRAINT builds_configuration_id_fkey FOREIGN KEY (configuration_id) REFERENCES configurations (id) ON DELETE SET NULL,
  CONSTRAINT builds_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX builds_app_id_created_at_id_idx ON builds (app_id, created_at, id);
CREATE INDEX builds_created_by_idx ON builds (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX builds_configuration_id_idx ON builds (configuration_id) WHERE configuration_id IS NOT NULL;
CREATE INDEX builds_certificate_id_idx ON builds (certificate_id) WHERE certificate_id IS NOT NULL;
CREATE INDEX builds_environment_id_idx ON builds (environment_id) WHERE environment_id IS NOT NULL;
CREATE INDEX builds_build_source_id_idx ON builds (build_source_id) WHERE build_source_id IS NOT NULL;
CREATE INDEX builds_app_id_automation_id_created_at_id_idx ON builds (app_id, automation_id, created_at, id) WHERE automation_id IS NOT NULL;

CREATE TRIGGER announce_build AFTER UPDATE ON builds
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');

CALL audit_table('builds',
  '{"type": "build", "organization": "app", "name": "display_name", "secret": ["sealed_ad_hoc_variables"], "renamed": {"environment_id": "appEnvironmentId", "certificate_id": "appCertificateId", "configuration_id": "appConfigurationId", "build_source_id": "appBuildSourceId", "automation_id": "appAutomationId", "sealed_ad_hoc_variables": "adHocEnvironmentVariables"}, "ignored": ["git_ref_full_name", "is_default_branch"]}');

CREATE TABLE build_artifacts (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  build_id uuid NOT NULL,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  blob_id uuid,
  file_name text,
  file_mime_type text,
  file_size_in_bytes bigint,
  total_size_in_bytes bigint,
  total_downloads integer NOT NULL DEFAULT 0,
  announced_sha256 text,
  CONSTRAINT build_artifacts_pkey PRIMARY KEY (id),
  CONSTRAINT build_artifacts_status_check CHECK (status IN ('pending', 'ready')),
  CONSTRAINT build_artifacts_type_check CHECK (type IN ('aab', 'apk', 'app', 'dsym', 'ipa', 'manifest', 'xcarchive', 'zip')),
  CONSTRAINT build_artifacts_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs (id),
  CONSTRAINT build_artifacts_build_id_fkey FOREIGN KEY (build_id) REFERENCES builds (id) ON DELETE CASCADE
);
CREATE INDEX build_artifacts_blob_id_idx ON build_artifacts (blob_id);
CREATE INDEX build_artifacts_build_id_idx ON build_artifacts (build_id);

CALL audit_table('build_artifacts',
  '{"type": "build-artifact", "organization": "build", "name": "file_name", "ignored": ["blob_id", "total_downloads"], "renamed": {"build_id": "appBuildId"}}');

-- Counted downloads change artifacts every few seconds, but no release.
CREATE TRIGGER announce_artifact AFTER INSERT OR DELETE OR UPDATE OF build_id, type, status ON build_artifacts
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('build_id');

CREATE TRIGGER delete_uploads_of_owners AFTER DELETE ON build_artifacts
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_uploads_of_owners();

CREATE TABLE download_counts (
  artifact_id uuid NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  app_id uuid NOT NULL,
  downloads bigint NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT download_counts_pkey PRIMARY KEY (artifact_id, day, kind),
  CONSTRAINT download_counts_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
);
CREATE INDEX download_counts_app_id_day_idx ON download_counts (app_id, day);
