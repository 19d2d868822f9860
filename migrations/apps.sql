-- Apps, who may see them, and their git repositories.

-- Announces every change that affects which bundle a device gets by NOTIFY: topic `releases`, the payload is the id of
-- the app. PostgreSQL sends it with the commit, and equal ones only once per transaction. The argument is the column that
-- leads to the app.
CREATE FUNCTION announce_release() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  app text := changed ->> TG_ARGV[0];
BEGIN
  IF TG_ARGV[0] = 'build_id' THEN
    SELECT app_id::text INTO app FROM builds WHERE id = app::uuid;
  END IF;
  IF app IS NOT NULL THEN
    PERFORM pg_notify('releases', app);
  END IF;
  RETURN NULL;
END $$;

CREATE TABLE apps (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  default_channel_id uuid,
  channel_discovery_enabled boolean NOT NULL DEFAULT false,
  next_build_number integer NOT NULL DEFAULT 1,
  last_build_number integer NOT NULL DEFAULT 0,
  public_keys text[] NOT NULL DEFAULT '{}',
  custom_id_hashing boolean NOT NULL DEFAULT false,
  device_retention_days integer,
  bundle_retention_count integer,
  job_log_retention_days integer,
  app_environment_id uuid,
  build_stack text,
  build_source_retention_days integer,
  build_artifact_retention_days integer,
  CONSTRAINT apps_pkey PRIMARY KEY (id),
  CONSTRAINT apps_bundle_retention_count_check CHECK (bundle_retention_count BETWEEN 1 AND 1000),
  CONSTRAINT apps_device_retention_days_check CHECK (device_retention_days BETWEEN 1 AND 3650),
  CONSTRAINT apps_next_build_number_check CHECK (next_build_number > last_build_number),
  CONSTRAINT apps_type_check CHECK (type IN ('android', 'capacitor', 'cordova', 'ios')),
  CONSTRAINT apps_job_log_retention_days_check CHECK (job_log_retention_days BETWEEN 1 AND 3650),
  CONSTRAINT apps_build_stack_check CHECK (build_stack IN ('macos-sequoia', 'macos-tahoe')),
  CONSTRAINT apps_build_artifact_retention_days_check CHECK (build_artifact_retention_days BETWEEN 1 AND 3650),
  CONSTRAINT apps_build_source_retention_days_check CHECK (build_source_retention_days BETWEEN 1 AND 3650),
  CONSTRAINT apps_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE INDEX apps_default_channel_id_idx ON apps (default_channel_id);
CREATE INDEX apps_organization_id_name_idx ON apps (organization_id, name);
CREATE INDEX apps_app_environment_id_idx ON apps (app_environment_id);

-- A new build takes the next number, which does not change the app.
CALL audit_table('apps',
  '{"type": "app", "organization": "own", "name": "name", "ignored": ["last_build_number"], "renamed": {"default_channel_id": "appChannelId", "channel_discovery_enabled": "appChannelDiscoveryEnabled", "next_build_number": "nextAppBuildNumber"}}',
  'OLD.last_build_number = NEW.last_build_number');

CREATE TRIGGER announce_app AFTER INSERT OR DELETE OR UPDATE OF default_channel_id, custom_id_hashing ON apps
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('id');

CREATE TABLE team_apps (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  team_id uuid NOT NULL,
  app_id uuid NOT NULL,
  CONSTRAINT team_apps_pkey PRIMARY KEY (id),
  CONSTRAINT team_apps_team_id_app_id_key UNIQUE (team_id, app_id),
  CONSTRAINT team_apps_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT team_apps_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE
);
CREATE INDEX team_apps_app_id_idx ON team_apps (app_id);

CALL audit_table('team_apps',
  '{"type": "team-app", "organization": "team"}');

CREATE TABLE git_connections (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  app_id uuid,
  name text NOT NULL,
  name_lower text NOT NULL,
  provider text NOT NULL,
  auth_kind text NOT NULL,
  auth_username text,
  sealed_secret text,
  base_url text,
  restricted boolean NOT NULL DEFAULT false,
  created_by uuid,
  broken_at timestamptz(3),
  last_used_at timestamptz(3),
  CONSTRAINT git_connections_pkey PRIMARY KEY (id),
  CONSTRAINT git_connections_organization_id_name_lower_key UNIQUE (organization_id, name_lower),
  CONSTRAINT git_connections_provider_check CHECK (provider IN ('azure_devops', 'bitbucket', 'gitea', 'git_http', 'github', 'gitlab')),
  CONSTRAINT git_connections_auth_kind_check CHECK (auth_kind IN ('basic', 'token')),
  CONSTRAINT git_connections_sealed_secret_check CHECK (sealed_secret LIKE 'v1.%'),
  CONSTRAINT git_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT git_connections_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT git_connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX git_connections_app_id_idx ON git_connections (app_id);
CREATE INDEX git_connections_created_by_idx ON git_connections (created_by);

CALL audit_table('git_connections',
  '{"type": "git-connection", "organization": "own", "name": "name", "secret": ["sealed_secret"], "ignored": ["name_lower", "broken_at", "last_used_at"]}');

CREATE TABLE app_repositories (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  app_id uuid NOT NULL,
  git_connection_id uuid,
  provider text NOT NULL,
  provider_base_url text,
  provider_repository_id text NOT NULL,
  name text NOT NULL,
  path text NOT NULL,
  web_url text NOT NULL,
  CONSTRAINT app_repositories_pkey PRIMARY KEY (id),
  CONSTRAINT app_repositories_app_id_key UNIQUE (app_id),
  CONSTRAINT app_repositories_provider_check CHECK (provider IN ('azure_devops', 'bitbucket', 'gitea', 'git_http', 'github', 'gitlab')),
  CONSTRAINT app_repositories_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE,
  CONSTRAINT app_repositories_git_connection_id_fkey FOREIGN KEY (git_connection_id) REFERENCES git_connections (id) ON DELETE SET NULL
);
CREATE INDEX app_repositories_git_connection_id_idx ON app_repositories (git_connection_id);

CALL audit_table('app_repositories',
  '{"type": "app-repository", "organization": "app", "name": "path"}');
