-- Announces every change that affects which bundle a device gets by NOTIFY: topic `releases`, the payload is the id of
-- the app. PostgreSQL sends it with the commit, and equal ones only once per transaction.

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

-- The argument is the column that leads to the app.
CREATE TRIGGER announce_app AFTER INSERT OR DELETE OR UPDATE OF default_channel_id, custom_id_hashing ON apps
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('id');
CREATE TRIGGER announce_channel AFTER INSERT OR UPDATE OR DELETE ON channels
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_deployment AFTER INSERT OR UPDATE OR DELETE ON deployments
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_build AFTER UPDATE ON builds
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_artifact AFTER INSERT OR UPDATE OR DELETE ON build_artifacts
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('build_id');
CREATE TRIGGER announce_bundle AFTER INSERT OR UPDATE OR DELETE ON bundles
  FOR EACH ROW
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_forced_device AFTER INSERT ON devices
  FOR EACH ROW WHEN (NEW.forced_channel_id IS NOT NULL)
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_forcing AFTER UPDATE OF forced_channel_id ON devices
  FOR EACH ROW WHEN (OLD.forced_channel_id IS DISTINCT FROM NEW.forced_channel_id)
  EXECUTE FUNCTION announce_release('app_id');
CREATE TRIGGER announce_forgotten_device AFTER DELETE ON devices
  FOR EACH ROW WHEN (OLD.forced_channel_id IS NOT NULL)
  EXECUTE FUNCTION announce_release('app_id');
