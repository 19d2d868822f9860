-- Of shared modules.

CREATE TABLE encryption_checks (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  sealed_value text NOT NULL,
  CONSTRAINT encryption_checks_pkey PRIMARY KEY (id),
  CONSTRAINT encryption_checks_sealed_value_check CHECK (sealed_value LIKE 'v1.%')
);

CREATE TABLE stored_responses (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  token_id uuid NOT NULL,
  route_hash text NOT NULL,
  key text,
  body_hash text NOT NULL,
  status smallint,
  sealed_body text,
  redelivered_at timestamptz(3),
  CONSTRAINT stored_responses_pkey PRIMARY KEY (id),
  CONSTRAINT stored_responses_token_id_route_hash_key_key UNIQUE (token_id, route_hash, key)
);
CREATE INDEX stored_responses_created_at_idx ON stored_responses (created_at);

CREATE UNLOGGED TABLE rate_counts (
  window_start timestamptz(0) NOT NULL,
  key text NOT NULL,
  count integer NOT NULL,
  CONSTRAINT rate_counts_pkey PRIMARY KEY (window_start, key)
);
