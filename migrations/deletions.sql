-- Records the objects of deleted rows, whose bytes retention deletes. The argument is the column with the id.
CREATE FUNCTION note_deleted_object() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO deleted_objects (id) VALUES ((to_jsonb(OLD) ->> TG_ARGV[0])::uuid) ON CONFLICT DO NOTHING;
        RETURN NULL;
    END
$$;
CREATE TRIGGER note_deleted_object AFTER DELETE ON blobs
  FOR EACH ROW EXECUTE FUNCTION note_deleted_object('id');

CREATE TRIGGER note_deleted_object AFTER DELETE ON upload_parts
  FOR EACH ROW EXECUTE FUNCTION note_deleted_object('id');

CREATE TRIGGER note_deleted_object AFTER DELETE ON blob_variants
  FOR EACH ROW WHEN (OLD.object_id IS NOT NULL) EXECUTE FUNCTION note_deleted_object('object_id');

-- Rejects the deletion of a bundle under legal hold, and with it that of its build, app or organization.
CREATE FUNCTION refuse_legal_hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the bundle % is under legal hold', OLD.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'bundles_legal_hold';
    END
$$;
CREATE TRIGGER bundles_legal_hold BEFORE DELETE ON bundles
  FOR EACH ROW WHEN (OLD.legal_hold_at IS NOT NULL) EXECUTE FUNCTION refuse_legal_hold();

-- Deletes the uploads of deleted rows. Every table that owns uploads has this trigger, because one foreign key cannot
-- refer to several tables.
CREATE FUNCTION delete_uploads_of_owners() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM uploads USING deleted WHERE uploads.owner_id = deleted.id;
        RETURN NULL;
    END
$$;
CREATE TRIGGER delete_uploads_of_owners AFTER DELETE ON bundle_files
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_uploads_of_owners();
