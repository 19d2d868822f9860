import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events, and the webhooks that get them. */
export class RecordEvents1795500000900 implements MigrationInterface {
  name = 'RecordEvents1795500000900';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createEvents(queryRunner);
    await createWebhooks(queryRunner);
    await createDeliveries(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const tables = [
      'webhook_deliveries',
      'webhook_schedules',
      'webhooks',
      'event_conditions',
      'event_positions',
      'events',
    ];
    for (const table of tables) await queryRunner.query(`DROP TABLE ${table}`);
  }
}

async function createEvents(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE events (
      id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      serial bigserial NOT NULL,
      position bigint,
      organization_id uuid NOT NULL,
      app_id uuid,
      type text NOT NULL,
      object_id uuid NOT NULL,
      channel_id uuid,
      user_id uuid,
      data jsonb NOT NULL,
      CONSTRAINT events_pkey PRIMARY KEY (id),
      CONSTRAINT events_organization_id_position_key UNIQUE (organization_id, position),
      CONSTRAINT events_position_check CHECK (position > 0),
      CONSTRAINT events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT events_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
    )`);
  await queryRunner.query('CREATE INDEX events_serial_idx ON events (serial) WHERE position IS NULL');
  await queryRunner.query('CREATE INDEX events_app_id_idx ON events (app_id)');
  await queryRunner.query('CREATE INDEX events_created_at_idx ON events (created_at)');
  await queryRunner.query(`
    CREATE TABLE event_positions (
      organization_id uuid NOT NULL,
      position bigint NOT NULL DEFAULT 0,
      deleted_position bigint NOT NULL DEFAULT 0,
      CONSTRAINT event_positions_pkey PRIMARY KEY (organization_id),
      CONSTRAINT event_positions_organization_id_fkey
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`);
  await queryRunner.query(`
    CREATE TABLE event_conditions (
      object_id uuid NOT NULL,
      kind text NOT NULL,
      threshold text NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      organization_id uuid NOT NULL,
      CONSTRAINT event_conditions_pkey PRIMARY KEY (object_id, kind, threshold, organization_id),
      CONSTRAINT event_conditions_organization_id_fkey
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
    )`);
  await queryRunner.query(
    'CREATE INDEX event_conditions_organization_id_idx ON event_conditions (organization_id)',
  );
}

async function createWebhooks(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE webhooks (
      id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      version integer NOT NULL DEFAULT 1,
      organization_id uuid NOT NULL,
      app_id uuid,
      name text NOT NULL,
      description text,
      sealed_url text NOT NULL,
      host text NOT NULL,
      format text NOT NULL,
      events text[] NOT NULL,
      app_ids uuid[] NOT NULL DEFAULT '{}',
      channel_ids uuid[] NOT NULL DEFAULT '{}',
      sealed_signing_secret text,
      sealed_previous_signing_secret text,
      previous_signing_secret_expires_at timestamptz(3),
      sealed_headers text,
      header_names text[] NOT NULL DEFAULT '{}',
      enabled boolean NOT NULL DEFAULT true,
      disabled_reason text,
      CONSTRAINT webhooks_pkey PRIMARY KEY (id),
      CONSTRAINT webhooks_events_check CHECK (cardinality(events) > 0),
      CONSTRAINT webhooks_sealed_url_check CHECK (sealed_url LIKE 'v1.%'),
      CONSTRAINT webhooks_format_check CHECK (format IN ('raw', 'slack', 'teams', 'discord')),
      CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('gone', 'failing', 'app-transferred')),
      CONSTRAINT webhooks_previous_signing_secret_check
        CHECK ((sealed_previous_signing_secret IS NULL) = (previous_signing_secret_expires_at IS NULL)),
      CONSTRAINT webhooks_organization_id_fkey
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
      CONSTRAINT webhooks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps (id) ON DELETE CASCADE
    )`);
  await queryRunner.query('CREATE INDEX webhooks_organization_id_idx ON webhooks (organization_id)');
  await queryRunner.query('CREATE INDEX webhooks_app_id_idx ON webhooks (app_id)');
  await queryRunner.query(`
    CREATE TRIGGER raise_version BEFORE UPDATE ON webhooks
      FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION raise_version()`);
  const secret = ['sealed_url', 'sealed_signing_secret', 'sealed_previous_signing_secret', 'sealed_headers'];
  const options = {
    type: 'webhook',
    organization: 'own',
    name: 'name',
    ignored: ['version', 'previous_signing_secret_expires_at'],
    secret,
    renamed: {
      sealed_url: 'url',
      sealed_signing_secret: 'signingSecret',
      sealed_previous_signing_secret: 'previousSigningSecret',
      sealed_headers: 'headers',
    },
  };
  await queryRunner.query(`CALL audit_table('webhooks', '${JSON.stringify(options)}')`);
}

async function createDeliveries(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE TABLE webhook_schedules (
      webhook_id uuid NOT NULL,
      due_at timestamptz(3),
      failures integer NOT NULL DEFAULT 0,
      unsuccessful_since timestamptz(3),
      unsuccessful_attempts integer NOT NULL DEFAULT 0,
      is_slow boolean NOT NULL DEFAULT false,
      last_success_at timestamptz(3),
      CONSTRAINT webhook_schedules_pkey PRIMARY KEY (webhook_id),
      CONSTRAINT webhook_schedules_failures_check CHECK (failures >= 0),
      CONSTRAINT webhook_schedules_unsuccessful_attempts_check CHECK (unsuccessful_attempts >= 0),
      CONSTRAINT webhook_schedules_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
    )`);
  await queryRunner.query(`
    CREATE TABLE webhook_deliveries (
      id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      webhook_id uuid NOT NULL,
      event_id uuid NOT NULL,
      event_type text NOT NULL,
      position bigint NOT NULL,
      test_payload jsonb,
      status text NOT NULL,
      reason text,
      attempt_count integer NOT NULL DEFAULT 0,
      attempts jsonb NOT NULL DEFAULT '[]',
      response_body text,
      last_attempt_at timestamptz(3),
      CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
      CONSTRAINT webhook_deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id),
      CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'succeeded', 'failed')),
      CONSTRAINT webhook_deliveries_reason_check CHECK ((reason IS NULL) OR status = 'failed'),
      CONSTRAINT webhook_deliveries_attempt_count_check CHECK (attempt_count >= 0),
      CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
    )`);
  await queryRunner.query(`
    CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id, position, id)
      WHERE status = 'pending'`);
  await queryRunner.query(
    'CREATE INDEX webhook_deliveries_webhook_id_created_at_id_idx ON webhook_deliveries (webhook_id, created_at, id)',
  );
  await queryRunner.query(
    'CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at)',
  );
}
