import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes that cannot change what a device gets are not announced as changes of releases, so that an app keeps its release
 * table when the database goes away right after them. See ADR 44.
 */
export class KeepTablesOfHarmlessChanges1795463000000 implements MigrationInterface {
  name = 'KeepTablesOfHarmlessChanges1795463000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The process that makes a change for a caller reads the setting before it commits, so that it need not wait for the
    // notification.
    await queryRunner.query(`
      CREATE FUNCTION announce(topic text, payload text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        announced text := coalesce(current_setting('slipway.announced', true), '');
        line text := topic || ' ' || payload || E'\\n';
      BEGIN
        PERFORM pg_notify(topic, payload);
        IF current_setting('slipway.actor', true) <> '' AND strpos(announced, line) = 0 THEN
          PERFORM set_config('slipway.announced', announced || line, true);
        END IF;
      END $$`);
    await queryRunner.query(ANNOUNCE_RELEASE);
    await announceFiles(queryRunner, 'announce');
    // Before a deletion, because the bundle of the artifact says which app it is of when its build is gone.
    await queryRunner.query('DROP TRIGGER announce_artifact ON build_artifacts');
    await queryRunner.query(`
      CREATE TRIGGER announce_artifact AFTER INSERT OR UPDATE OF build_id, type, status ON build_artifacts
        FOR EACH ROW EXECUTE FUNCTION announce_release('build_id')`);
    await queryRunner.query(`
      CREATE TRIGGER announce_artifact_deletion BEFORE DELETE ON build_artifacts
        FOR EACH ROW EXECUTE FUNCTION announce_release('build_id')`);
    // A change of a channel or a build is harmless without a deployment. So a new deployment waits for the end of changes that
    // have not seen it, and further changes wait for its end.
    await queryRunner.query(`
      CREATE FUNCTION lock_deployed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM channels WHERE id = NEW.channel_id FOR SHARE;
        PERFORM FROM builds WHERE id = NEW.build_id FOR SHARE;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER lock_deployed BEFORE INSERT OR UPDATE OF channel_id, build_id ON deployments
        FOR EACH ROW EXECUTE FUNCTION lock_deployed()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER lock_deployed ON deployments');
    await queryRunner.query('DROP FUNCTION lock_deployed');
    await queryRunner.query('DROP TRIGGER announce_artifact ON build_artifacts');
    await queryRunner.query('DROP TRIGGER announce_artifact_deletion ON build_artifacts');
    await queryRunner.query(`
      CREATE TRIGGER announce_artifact AFTER INSERT OR DELETE OR UPDATE OF build_id, type, status ON build_artifacts
        FOR EACH ROW EXECUTE FUNCTION announce_release('build_id')`);
    await announceFiles(queryRunner, 'pg_notify');
    await queryRunner.query(ANNOUNCE_EVERY_CHANGE);
    await queryRunner.query('DROP FUNCTION announce');
  }
}

/**
 * Topic `releases`: a change. Topic `empty_channels`: of a channel without deployments, which the decision finds or not,
 * without an update either way. Nothing: no release table has the row, and no device can download the bundle.
 */
const ANNOUNCE_RELEASE = `
  CREATE OR REPLACE FUNCTION announce_release() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
    earlier jsonb := to_jsonb(OLD);
    app text := changed ->> TG_ARGV[0];
    topic text := 'releases';
    artifact build_artifacts;
  BEGIN
    IF TG_TABLE_NAME = 'channels' THEN
      -- A device that sends "a+b" may mean "a b", too, and one that sends "c+" may mean "c": the one hides the other.
      IF NOT EXISTS (SELECT FROM deployments WHERE channel_id = (changed ->> 'id')::uuid)
         AND NOT EXISTS (
           SELECT FROM channels WHERE app_id = app::uuid AND id <> (changed ->> 'id')::uuid
              AND btrim(translate(name_lower, '+', ' ')) IN (btrim(translate(changed ->> 'name_lower', '+', ' ')),
                                                             btrim(translate(earlier ->> 'name_lower', '+', ' ')))) THEN
        topic := 'empty_channels';
      END IF;
    ELSIF TG_TABLE_NAME = 'builds' THEN
      IF NOT EXISTS (SELECT FROM deployments WHERE build_id = (changed ->> 'id')::uuid) THEN
        RETURN OLD;
      END IF;
    ELSIF TG_TABLE_NAME = 'build_artifacts' THEN
      IF 'ready' NOT IN (changed ->> 'status', coalesce(earlier ->> 'status', ''))
         AND NOT EXISTS (SELECT FROM deployments
                          WHERE build_id IN ((changed ->> 'build_id')::uuid, (earlier ->> 'build_id')::uuid)) THEN
        RETURN OLD;
      END IF;
      SELECT coalesce((SELECT app_id FROM builds WHERE id = (changed ->> 'build_id')::uuid),
                      (SELECT app_id FROM bundles WHERE id = (changed ->> 'id')::uuid)) INTO app;
    ELSIF TG_TABLE_NAME = 'bundles' THEN
      SELECT * INTO artifact FROM build_artifacts WHERE id = (changed ->> 'id')::uuid;
      -- The deletion of an artifact, which deletes its bundle, has been announced if it had to be.
      IF artifact.id IS NULL OR artifact.status <> 'ready'
         AND NOT EXISTS (SELECT FROM deployments WHERE build_id = artifact.build_id) THEN
        RETURN OLD;
      END IF;
    END IF;
    IF app IS NOT NULL THEN
      PERFORM announce(topic, app);
    END IF;
    RETURN OLD;
  END $$`;

/** As in `apps.sql`. */
const ANNOUNCE_EVERY_CHANGE = `
  CREATE OR REPLACE FUNCTION announce_release() RETURNS trigger LANGUAGE plpgsql AS $$
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
  END $$`;

/** Makes the functions again that announce generated zips, and damaged and repaired files. */
async function announceFiles(queryRunner: QueryRunner, announce: string): Promise<void> {
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION announce_generated_zip() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${announce}('releases', app_id::text) FROM bundles WHERE id = NEW.bundle_id;
      RETURN NULL;
    END $$`);
  await queryRunner.query(`
    CREATE OR REPLACE FUNCTION announce_damage() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${announce}('releases', app_id::text)
         FROM (SELECT DISTINCT bundle.app_id
                 FROM (SELECT bundle_id FROM bundle_files WHERE blob_id = NEW.id
                        UNION SELECT bundle_id FROM generated_zips WHERE blob_id = NEW.id) AS file
                 JOIN bundles AS bundle ON bundle.id = file.bundle_id) AS app;
      RETURN NULL;
    END $$`);
}
