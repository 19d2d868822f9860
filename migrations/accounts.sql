-- Users, and how they sign in.

CREATE TABLE users (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  email text NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  name text,
  image text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  last_seen_at timestamptz(3),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email)
);

CALL audit_table('users',
  '{"type": "user", "organization": "user", "user": "id", "name": "email", "ignored": ["last_seen_at"]}');

CREATE TABLE passwords (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  hash text NOT NULL,
  CONSTRAINT passwords_pkey PRIMARY KEY (id),
  CONSTRAINT passwords_user_id_key UNIQUE (user_id),
  CONSTRAINT passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CALL audit_table('passwords',
  '{"type": "password", "organization": "user", "user": "user_id", "secret": ["hash"]}');

CREATE TABLE two_factors (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  secret text NOT NULL,
  last_step integer NOT NULL,
  CONSTRAINT two_factors_pkey PRIMARY KEY (id),
  CONSTRAINT two_factors_user_id_key UNIQUE (user_id),
  CONSTRAINT two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CALL audit_table('two_factors',
  '{"type": "two-factor", "organization": "user", "user": "user_id", "secret": ["secret"], "ignored": ["last_step"]}');

CREATE TABLE recovery_codes (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  hash text NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (id),
  CONSTRAINT recovery_codes_user_id_hash_key UNIQUE (user_id, hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CALL audit_table('recovery_codes',
  '{"type": "recovery-code", "organization": "user", "user": "user_id", "secret": ["hash"]}');

CREATE TABLE user_identities (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  CONSTRAINT user_identities_pkey PRIMARY KEY (id),
  CONSTRAINT user_identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT user_identities_user_id_issuer_key UNIQUE (user_id, issuer),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CALL audit_table('user_identities',
  '{"type": "user-identity", "organization": "user", "user": "user_id", "name": "subject"}');

CREATE TABLE tokens (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  last_four text,
  previous_hash text,
  previous_expires_at timestamptz(3),
  permissions jsonb NOT NULL DEFAULT '"all"',
  organization_ids uuid[],
  app_ids uuid[],
  last_used_address text,
  last_used_client text,
  second_factor_at timestamptz(3),
  method text,
  CONSTRAINT tokens_pkey PRIMARY KEY (id),
  CONSTRAINT tokens_hash_key UNIQUE (hash),
  CONSTRAINT tokens_previous_hash_key UNIQUE (previous_hash),
  CONSTRAINT tokens_app_ids_check CHECK (cardinality(app_ids) > 0),
  CONSTRAINT tokens_last_four_check CHECK (char_length(last_four) = 4),
  CONSTRAINT tokens_last_used_client_check CHECK (char_length(last_used_client) <= 255),
  CONSTRAINT tokens_organization_ids_check CHECK (cardinality(organization_ids) > 0),
  CONSTRAINT tokens_permissions_check CHECK ((permissions IN ('"all"'::jsonb, '"read-only"'::jsonb)) OR jsonb_typeof(permissions) = 'array' AND permissions <> '[]'::jsonb),
  CONSTRAINT tokens_previous_hash_check CHECK ((previous_hash IS NULL) = (previous_expires_at IS NULL)),
  CONSTRAINT tokens_method_check CHECK (method IN ('password', 'oidc')),
  CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX tokens_user_id_idx ON tokens (user_id);

CALL audit_table('tokens',
  '{"type": "token", "organization": "user", "user": "user_id", "name": "name", "secret": ["hash", "previous_hash", "last_four"], "ignored": ["last_used_at", "last_used_address", "last_used_client"]}');

CREATE TABLE sessions (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  kind text NOT NULL,
  hash text NOT NULL,
  address text NOT NULL,
  user_agent text,
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  method text NOT NULL DEFAULT 'password',
  second_factor_at timestamptz(3),
  proved_at timestamptz(3),
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_hash_key UNIQUE (hash),
  CONSTRAINT sessions_kind_check CHECK (kind IN ('device', 'browser')),
  CONSTRAINT sessions_method_check CHECK (method IN ('password', 'oidc')),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);

CALL audit_table('sessions',
  '{"type": "session", "organization": "user", "user": "user_id", "secret": ["hash"], "ignored": ["last_used_at"]}');

CREATE TABLE session_codes (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  hash text NOT NULL,
  code text NOT NULL,
  status text NOT NULL DEFAULT 'created',
  expires_at timestamptz(3) NOT NULL,
  address text NOT NULL,
  user_agent text,
  user_id uuid,
  method text,
  second_factor_at timestamptz(3),
  proved_at timestamptz(3),
  CONSTRAINT session_codes_pkey PRIMARY KEY (id),
  CONSTRAINT session_codes_code_key UNIQUE (code),
  CONSTRAINT session_codes_hash_key UNIQUE (hash),
  CONSTRAINT session_codes_status_check CHECK (status IN ('created', 'approved', 'denied', 'consumed')),
  CONSTRAINT session_codes_user_check CHECK ((status = 'created') = (user_id IS NULL)),
  CONSTRAINT session_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX session_codes_expires_at_idx ON session_codes (expires_at);
CREATE INDEX session_codes_user_id_idx ON session_codes (user_id);

CREATE TABLE sign_in_links (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_id uuid NOT NULL,
  hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT sign_in_links_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_links_hash_key UNIQUE (hash),
  CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX sign_in_links_user_id_idx ON sign_in_links (user_id);

CREATE TABLE sign_in_attempts (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  key text NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamptz(3) NOT NULL,
  succeeded_at timestamptz(3),
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_attempts_key_key UNIQUE (key)
);
CREATE INDEX sign_in_attempts_updated_at_idx ON sign_in_attempts (updated_at);
