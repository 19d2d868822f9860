-- Organizations, their members and teams, license keys, and what people do without changing a row.

CREATE TABLE organizations (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  name text NOT NULL,
  slug text NOT NULL,
  logo text,
  country_allowlist text[],
  ip_allowlist text[],
  two_factor_required boolean NOT NULL DEFAULT false,
  storage_quota_in_bytes bigint,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_slug_key UNIQUE (slug),
  CONSTRAINT organizations_storage_quota_in_bytes_check CHECK (storage_quota_in_bytes >= 0)
);

CALL audit_table('organizations',
  '{"type": "organization", "organization": "self", "name": "name"}');

CREATE TABLE members (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  last_seen_at timestamptz(3),
  from_groups boolean NOT NULL DEFAULT false,
  CONSTRAINT members_pkey PRIMARY KEY (id),
  CONSTRAINT members_organization_id_user_id_key UNIQUE (organization_id, user_id),
  CONSTRAINT members_role_check CHECK (role IN ('owner', 'admin', 'billing', 'member', 'viewer')),
  CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX members_user_id_idx ON members (user_id);

CALL audit_table('members',
  '{"type": "member", "organization": "own", "user": "user_id", "ignored": ["last_seen_at"]}');

CREATE TABLE invitations (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  inviter_id uuid,
  expires_at timestamptz(3) NOT NULL,
  mailed_at timestamptz(3),
  mail_error text,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_role_check CHECK (role IN ('admin', 'billing', 'member', 'viewer')),
  CONSTRAINT invitations_status_check CHECK (status IN ('accepted', 'canceled', 'pending', 'rejected')),
  CONSTRAINT invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE INDEX invitations_inviter_id_idx ON invitations (inviter_id);
CREATE INDEX invitations_organization_id_created_at_id_idx ON invitations (organization_id, created_at, id);
CREATE UNIQUE INDEX invitations_pending_key ON invitations (organization_id, email) WHERE status = 'pending';

CALL audit_table('invitations',
  '{"type": "invitation", "organization": "own", "name": "email", "ignored": ["mailed_at", "mail_error"]}');

CREATE TABLE teams (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  name text NOT NULL,
  name_lower text NOT NULL,
  description text,
  CONSTRAINT teams_pkey PRIMARY KEY (id),
  CONSTRAINT teams_organization_id_name_lower_key UNIQUE (organization_id, name_lower),
  CONSTRAINT teams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

CALL audit_table('teams',
  '{"type": "team", "organization": "own", "name": "name", "ignored": ["name_lower"]}');

CREATE TABLE team_members (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  team_id uuid NOT NULL,
  member_id uuid NOT NULL,
  CONSTRAINT team_members_pkey PRIMARY KEY (id),
  CONSTRAINT team_members_team_id_member_id_key UNIQUE (team_id, member_id),
  CONSTRAINT team_members_member_id_fkey FOREIGN KEY (member_id) REFERENCES members (id) ON DELETE CASCADE,
  CONSTRAINT team_members_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE
);
CREATE INDEX team_members_member_id_idx ON team_members (member_id);

CALL audit_table('team_members',
  '{"type": "team-member", "organization": "team"}');

CREATE TABLE license_keys (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  name text NOT NULL,
  key_hash text NOT NULL,
  sealed_key text NOT NULL,
  expires_at timestamptz(3),
  packages_changed_at timestamptz(3) NOT NULL,
  CONSTRAINT license_keys_pkey PRIMARY KEY (id),
  CONSTRAINT license_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT license_keys_key_hash_check CHECK (char_length(key_hash) = 64),
  CONSTRAINT license_keys_sealed_key_check CHECK (sealed_key LIKE 'v1.%'),
  CONSTRAINT license_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE INDEX license_keys_organization_id_idx ON license_keys (organization_id);

CALL audit_table('license_keys',
  '{"type": "license-key", "organization": "own", "name": "name", "secret": ["key_hash", "sealed_key"]}');

CREATE TABLE license_key_packages (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  license_key_id uuid NOT NULL,
  package_id uuid NOT NULL,
  CONSTRAINT license_key_packages_pkey PRIMARY KEY (id),
  CONSTRAINT license_key_packages_license_key_id_package_id_key UNIQUE (license_key_id, package_id),
  CONSTRAINT license_key_packages_license_key_id_fkey FOREIGN KEY (license_key_id) REFERENCES license_keys (id) ON DELETE CASCADE
);

CALL audit_table('license_key_packages',
  '{"type": "license-key-package", "organization": "license-key"}');

CREATE TABLE activities (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  organization_id uuid NOT NULL,
  app_id uuid,
  kind text NOT NULL,
  count integer,
  detail text,
  throttle_key text,
  CONSTRAINT activities_pkey PRIMARY KEY (id),
  CONSTRAINT activities_throttle_key_key UNIQUE (throttle_key),
  CONSTRAINT activities_count_check CHECK (count >= 0),
  CONSTRAINT activities_kind_check CHECK (kind IN ('devices-erased', 'devices-exported', 'audit-log-exported', 'license-keys-read', 'environment-secrets-read', 'certificate-read', 'call-refused')),
  CONSTRAINT activities_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE INDEX activities_organization_id_idx ON activities (organization_id);
CREATE INDEX activities_created_at_idx ON activities (created_at);

-- Only that it happened: the row is deleted after a day.
CREATE CONSTRAINT TRIGGER audit_insert AFTER INSERT ON activities DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION audit_change('{"type":"activity","organization":"own","name":"kind","ignored":["created_at","throttle_key"]}');
