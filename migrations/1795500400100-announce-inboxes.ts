import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Announces changes of what waits for people that have no event and change no release: certificates and provisioning
 * profiles, webhooks, and submissions that are deleted. Finds plans that are held.
 */
export class AnnounceInboxes1795500400100 implements MigrationInterface {
  name = 'AnnounceInboxes1795500400100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "rollout_plans_held_idx" ON "rollout_plans" ("app_id") WHERE state = 'held'`,
    );
    // Topic `inbox`; the payload is the id of the organization. Of an app that is deleted, there is none any more.
    await queryRunner.query(`
      CREATE FUNCTION announce_inbox() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        changed record;
        organization uuid;
      BEGIN
        IF TG_OP = 'DELETE' THEN
          changed := OLD;
        ELSE
          changed := NEW;
        END IF;
        IF TG_TABLE_NAME = 'webhooks' THEN
          organization := changed.organization_id;
        ELSIF TG_TABLE_NAME = 'webhook_schedules' THEN
          SELECT organization_id INTO organization FROM webhooks WHERE id = changed.webhook_id;
        ELSE
          SELECT organization_id INTO organization FROM apps WHERE id = changed.app_id;
        END IF;
        IF organization IS NOT NULL THEN
          PERFORM announce('inbox', organization::text);
        END IF;
        RETURN NULL;
      END $$`);
    for (const [table, when] of TRIGGERS) {
      await queryRunner.query(
        `CREATE TRIGGER announce_inbox ${when} EXECUTE FUNCTION announce_inbox()`.replace('TABLE', table),
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table] of TRIGGERS) await queryRunner.query(`DROP TRIGGER announce_inbox ON ${table}`);
    await queryRunner.query('DROP FUNCTION announce_inbox');
    await queryRunner.query('DROP INDEX "rollout_plans_held_idx"');
  }
}

/** Tables, and which of their changes are announced. */
const TRIGGERS = [
  ['certificates', 'AFTER INSERT OR DELETE OR UPDATE OF name, expires_at, protected ON TABLE FOR EACH ROW'],
  [
    'provisioning_profiles',
    'AFTER INSERT OR DELETE OR UPDATE OF name, certificate_id, expires_at ON TABLE FOR EACH ROW',
  ],
  ['webhooks', 'AFTER DELETE OR UPDATE OF name, enabled, disabled_reason ON TABLE FOR EACH ROW'],
  // Each attempt changes it: only the one from which it counts as failing, and the first success.
  [
    'webhook_schedules',
    `AFTER UPDATE OF unsuccessful_attempts ON TABLE FOR EACH ROW
       WHEN ((OLD.unsuccessful_attempts >= 5) <> (NEW.unsuccessful_attempts >= 5))`,
  ],
  ['deployments', 'AFTER DELETE ON TABLE FOR EACH ROW WHEN (OLD.destination_id IS NOT NULL)'],
] as const;
