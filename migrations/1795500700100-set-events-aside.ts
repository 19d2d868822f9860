import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sets aside the events of objects that a receiver fails for, lets users skip deliveries, and notes how receivers fail. */
export class SetEventsAside1795500700100 implements MigrationInterface {
  name = 'SetEventsAside1795500700100';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Receivers of webhooks that exist may go by the order of all events. A server of the former version creates such.
    await queryRunner.query(`
      ALTER TABLE webhooks ADD ordering text NOT NULL DEFAULT 'strict',
        ADD CONSTRAINT webhooks_ordering_check CHECK (ordering IN ('strict', 'object'))`);
    await changeDeliveries(queryRunner);
    await changeSchedules(queryRunner);
    await queryRunner.query(`
      CREATE TABLE webhook_objects_aside (
        webhook_id uuid NOT NULL,
        object_id uuid NOT NULL,
        retry_at timestamptz(3) NOT NULL,
        wait_ms bigint NOT NULL,
        CONSTRAINT webhook_objects_aside_pkey PRIMARY KEY (webhook_id, object_id),
        CONSTRAINT webhook_objects_aside_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
      )`);
    await replaceCheck(
      queryRunner,
      'activities',
      'activities_kind_check',
      isOneOf('kind', [...KINDS, SKIPPED]),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM activities WHERE kind = '${SKIPPED}'`);
    await replaceCheck(queryRunner, 'activities', 'activities_kind_check', isOneOf('kind', KINDS));
    await queryRunner.query('DROP TABLE webhook_objects_aside');
    await queryRunner.query('DROP TRIGGER find_object ON webhook_deliveries');
    await queryRunner.query('DROP FUNCTION find_object_of_delivery');
    await queryRunner.query(`UPDATE webhook_deliveries SET status = 'failed' WHERE status = 'skipped'`);
    await replaceStatuses(queryRunner, ['pending', 'succeeded', 'failed'], `status = 'failed'`);
    await queryRunner.query(`
      ALTER TABLE webhook_deliveries DROP object_id, DROP set_aside, DROP failures, DROP failing_since`);
    await queryRunner.query(`
      ALTER TABLE webhook_schedules DROP busy_responses, DROP failing_since, DROP is_reported, DROP rests_until,
        DROP early_at, DROP wakes, DROP wait_ms, DROP run_number, DROP rejected_ids, DROP accepted_types, DROP urgent_ids`);
    await queryRunner.query('ALTER TABLE webhooks DROP ordering');
  }
}

async function changeDeliveries(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    ALTER TABLE webhook_deliveries ADD object_id uuid,
      ADD set_aside boolean NOT NULL DEFAULT false,
      ADD failures integer NOT NULL DEFAULT 0,
      ADD failing_since timestamptz(3),
      ADD CONSTRAINT webhook_deliveries_failures_check CHECK (failures >= 0)`);
  await replaceStatuses(
    queryRunner,
    ['pending', 'succeeded', 'failed', 'skipped'],
    isOneOf('status', ['failed', 'skipped']),
  );
  // Of those that may be sent. A test is an object of its own.
  await queryRunner.query(`
    UPDATE webhook_deliveries AS delivery
       SET object_id = coalesce(
             (SELECT event.object_id FROM events AS event WHERE event.id = delivery.event_id), delivery.event_id),
           failures = delivery.attempt_count, failing_since = delivery.last_attempt_at
     WHERE delivery.status <> 'succeeded'`);
  // A server of the former version makes deliveries without it.
  await queryRunner.query(`
    CREATE FUNCTION find_object_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.object_id := coalesce((SELECT object_id FROM events WHERE id = NEW.event_id), NEW.event_id);
      RETURN NEW;
    END $$`);
  await queryRunner.query(`
    CREATE TRIGGER find_object BEFORE INSERT OR UPDATE OF status ON webhook_deliveries FOR EACH ROW
      WHEN (NEW.object_id IS NULL AND NEW.status = 'pending') EXECUTE FUNCTION find_object_of_delivery()`);
}

async function changeSchedules(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    ALTER TABLE webhook_schedules ADD busy_responses integer NOT NULL DEFAULT 0,
      ADD failing_since timestamptz(3),
      ADD is_reported boolean NOT NULL DEFAULT false,
      ADD rests_until timestamptz(3),
      ADD early_at timestamptz(3),
      ADD wakes boolean NOT NULL DEFAULT false,
      ADD wait_ms bigint NOT NULL DEFAULT 0,
      ADD run_number integer NOT NULL DEFAULT 0,
      ADD rejected_ids uuid[] NOT NULL DEFAULT '{}',
      ADD accepted_types text[] NOT NULL DEFAULT '{}',
      ADD urgent_ids uuid[] NOT NULL DEFAULT '{}',
      ADD CONSTRAINT webhook_schedules_busy_responses_check CHECK (busy_responses >= 0)`);
  await queryRunner.query(`
    UPDATE webhook_schedules AS schedule
       SET accepted_types = accepted.types
      FROM (SELECT webhook_id, array_agg(DISTINCT event_type) AS types FROM webhook_deliveries
             WHERE status = 'succeeded' GROUP BY webhook_id) AS accepted
     WHERE accepted.webhook_id = schedule.webhook_id`);
  await queryRunner.query(`
    UPDATE webhook_schedules SET wait_ms = extract(epoch FROM due_at - now()) * 1000 WHERE due_at > now()`);
}

async function replaceStatuses(
  queryRunner: QueryRunner,
  statuses: readonly string[],
  hasReason: string,
): Promise<void> {
  const table = 'webhook_deliveries';
  await replaceCheck(queryRunner, table, 'webhook_deliveries_status_check', isOneOf('status', statuses));
  await replaceCheck(
    queryRunner,
    table,
    'webhook_deliveries_reason_check',
    `(reason IS NULL) OR ${hasReason}`,
  );
}

async function replaceCheck(
  queryRunner: QueryRunner,
  table: string,
  name: string,
  expression: string,
): Promise<void> {
  await queryRunner.query(
    `ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} CHECK (${expression})`,
  );
}

function isOneOf(column: string, values: readonly string[]): string {
  return `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`;
}

const SKIPPED = 'webhook-delivery-skipped';
const KINDS = [
  'devices-erased',
  'devices-exported',
  'audit-log-exported',
  'license-keys-read',
  'environment-secrets-read',
  'certificate-read',
  'call-refused',
];
