-- Stored files: blobs, their compressed variants, and uploads in parts.

CREATE TABLE deleted_objects (
  id uuid NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT deleted_objects_pkey PRIMARY KEY (id)
);
CREATE INDEX deleted_objects_deleted_at_idx ON deleted_objects (deleted_at);

-- Records the objects of deleted rows, whose bytes retention deletes. The argument is the column with the id.
CREATE FUNCTION note_deleted_object() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO deleted_objects (id) VALUES ((to_jsonb(OLD) ->> TG_ARGV[0])::uuid) ON CONFLICT DO NOTHING;
        RETURN NULL;
    END
$$;

CREATE TABLE blobs (
  id uuid NOT NULL,
  organization_id uuid,
  sha256 text NOT NULL,
  size_in_bytes bigint NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  verified_at timestamptz(3) NOT NULL DEFAULT now(),
  damaged_at timestamptz(3),
  damage text,
  scrub_started_at timestamptz(3),
  unreferenced_since timestamptz(3),
  CONSTRAINT blobs_pkey PRIMARY KEY (id),
  CONSTRAINT blobs_organization_id_sha256_key UNIQUE (organization_id, sha256),
  CONSTRAINT blobs_damage_check CHECK (damage IN ('missing', 'size', 'checksum')),
  CONSTRAINT blobs_damaged_at_check CHECK ((damaged_at IS NULL) = (damage IS NULL)),
  CONSTRAINT blobs_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  CONSTRAINT blobs_size_in_bytes_check CHECK (size_in_bytes >= 0),
  CONSTRAINT blobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE SET NULL
);
CREATE INDEX blobs_damaged_at_idx ON blobs (damaged_at) WHERE damaged_at IS NOT NULL;
CREATE INDEX blobs_unreferenced_since_idx ON blobs (unreferenced_since) WHERE unreferenced_since IS NOT NULL;
CREATE INDEX blobs_verified_at_idx ON blobs (verified_at);
CREATE INDEX blobs_damaged_idx ON blobs (id) WHERE damaged_at IS NOT NULL;

CREATE TRIGGER note_deleted_object AFTER DELETE ON blobs
  FOR EACH ROW EXECUTE FUNCTION note_deleted_object('id');

CREATE TABLE blob_variants (
  blob_id uuid NOT NULL,
  encoding text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  object_id uuid,
  size_in_bytes bigint,
  attempts smallint NOT NULL DEFAULT '0',
  claimed_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT blob_variants_pkey PRIMARY KEY (blob_id, encoding),
  CONSTRAINT blob_variants_object_id_key UNIQUE (object_id),
  CONSTRAINT blob_variants_encoding_check CHECK (encoding IN ('br', 'gzip')),
  CONSTRAINT blob_variants_state_check CHECK (state IN ('pending', 'quick', 'ready', 'useless')),
  CONSTRAINT blob_variants_ready_check CHECK ((state IN ('quick', 'ready')) = (object_id IS NOT NULL) AND (object_id IS NULL) = (size_in_bytes IS NULL)),
  CONSTRAINT blob_variants_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs (id) ON DELETE CASCADE
);
CREATE INDEX blob_variants_unfinished_idx ON blob_variants (created_at, state, blob_id) WHERE state IN ('pending', 'quick');

CREATE TRIGGER note_deleted_object AFTER DELETE ON blob_variants
  FOR EACH ROW WHEN (OLD.object_id IS NOT NULL) EXECUTE FUNCTION note_deleted_object('object_id');

-- An object that another one replaces.
CREATE TRIGGER note_replaced_object AFTER UPDATE OF object_id ON blob_variants
  FOR EACH ROW WHEN (OLD.object_id IS NOT NULL AND OLD.object_id IS DISTINCT FROM NEW.object_id)
  EXECUTE FUNCTION note_deleted_object('object_id');

CREATE TABLE uploads (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  owner_id uuid NOT NULL,
  completed_at timestamptz(3),
  organization_id uuid,
  CONSTRAINT uploads_pkey PRIMARY KEY (id),
  CONSTRAINT uploads_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE INDEX uploads_owner_id_idx ON uploads (owner_id);
CREATE INDEX uploads_organization_id_idx ON uploads (organization_id);

CREATE TABLE upload_parts (
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  upload_id uuid NOT NULL,
  part_number integer NOT NULL,
  sha256 text NOT NULL,
  size_in_bytes bigint NOT NULL DEFAULT '0',
  CONSTRAINT upload_parts_pkey PRIMARY KEY (id),
  CONSTRAINT upload_parts_upload_id_part_number_key UNIQUE (upload_id, part_number),
  CONSTRAINT upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads (id) ON DELETE CASCADE
);

CREATE TRIGGER note_deleted_object AFTER DELETE ON upload_parts
  FOR EACH ROW EXECUTE FUNCTION note_deleted_object('id');

-- Deletes the uploads of deleted rows. Every table that owns uploads has this trigger, because one foreign key cannot
-- refer to several tables.
CREATE FUNCTION delete_uploads_of_owners() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM uploads USING deleted WHERE uploads.owner_id = deleted.id;
        RETURN NULL;
    END
$$;
