import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

/** Tables whose changes are not in the audit log, and why. Every other table must have the triggers. */
const EXEMPT: Readonly<Record<string, string>> = {
  audit_chains: 'the log itself',
  audit_events: 'the log itself',
  migrations: 'of the schema, not of anybody',
  events: 'of changes, which are recorded',
  native_versions: 'counted of what devices report',
  event_epochs: 'counts positions, for all organizations',
  event_positions: 'counts events',
  event_conditions: 'remembers which events were recorded',
  webhook_schedules: 'when deliveries go on; webhooks are recorded',
  webhook_deliveries: 'the history itself',
  webhook_objects_aside: 'which deliveries wait; webhooks are recorded',
  notice_settings: 'which mails a user wants; concerns no organization',
  notice_mails: 'mails; their events are of changes, which are recorded',
  capacity_uses: 'what is used at this moment',
  decided_refs: 'what automations go by; builds and automations are recorded',
  expected_pushes: 'hints of git servers; what they cause is recorded',
  git_events: 'a history itself; the builds are recorded',
  repository_looks: 'when servers look at repositories',
  blobs: 'content without a meaning; publishing what it is used for is recorded',
  blob_variants: 'derived from blobs',
  artifact_details: 'derived from artifacts',
  bundle_deltas: 'derived from bundles',
  generated_zips: 'derived from bundles',
  plain_manifests: 'derived from bundles; imported ones only keep wrong files from devices',
  unsafe_reuses: 'derived from bundles',
  retired_deployments: 'derived; deleting a bundle is recorded',
  bundle_expirations: 'derived; deleting a bundle is recorded',
  custom_id_keys: 'keys; switching hashing on and off is recorded of the app',
  encryption_checks: 'a text that is known, sealed',
  job_leases: 'short-lived; the transitions of their jobs are recorded',
  job_logs: 'progress; the end of the job is recorded',
  job_log_chunks: 'lines of logs',
  ...Object.fromEntries(Array.from({ length: 8 }, (_, slot) => [`job_log_chunks_${slot}`, 'lines of logs'])),
  deleted_objects: 'what is left to be removed from storage; the deletion is recorded',
  device_counts: 'counters',
  download_counts: 'counters',
  bundle_files: 'upload progress; publishing is recorded',
  upload_parts: 'upload progress',
  store_turns: 'short-lived; submissions are recorded',
  submission_requests: 'lines of logs',
  release_events: 'a history itself; submissions and releases are recorded',
  stored_responses: 'short-lived; the responses to changes that are recorded',
  uploads: 'upload progress',
  rate_counts: 'counters',
  apple_key_calls: 'counters, deleted after two hours',
  runner_sessions: 'what runners report about themselves',
  job_queues: 'when jobs were given to runners; limits are set by the operator',
  job_queue_apps: 'the same',
  session_codes: 'short-lived; the session that comes of one is recorded',
  sign_in_links: 'short-lived; the password that is set with one is recorded',
  invitation_links: 'end with their invitations; the account that is made with one is recorded',
  invitation_counts: 'counters',
  sign_in_attempts: 'counters, under hashes',
};

/** Of devices, only what a person decides about them; of activities, that they happened. */
const PARTLY: Readonly<Record<string, readonly string[]>> = {
  activities: ['audit_insert'],
  devices: ['audit_delete', 'audit_update'],
  device_rollbacks: ['audit_delete'],
};

/** Columns that sound like secrets and are none. */
const NO_SECRETS = ['apps.custom_id_hashing'];

const ALL = ['audit_delete', 'audit_insert', 'audit_truncate', 'audit_update'];

interface Trigger extends Record<string, unknown> {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
  readonly argument: string | null;
}

interface Options {
  readonly type: string;
  readonly secret?: readonly string[];
  readonly ignored?: readonly string[];
  readonly only?: readonly string[];
  readonly name?: string;
  readonly user?: string;
  readonly renamed?: Readonly<Record<string, string>>;
}

/** What is read of `openapi.json`. */
interface Document {
  readonly components: {
    readonly schemas: { readonly AuditObjectType: { readonly enum: readonly string[] } };
  };
}

describe('the audit log', () => {
  let tables: string[];
  let columns: { table: string; column: string }[];
  let triggers: Trigger[];
  let options: Map<string, Options>;

  beforeAll(async () => {
    const { databaseUrl } = testEnvironment();
    const rows = await query<{ table: string; column: string }>(
      databaseUrl,
      `SELECT relname AS "table", attname AS "column" FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped`,
    );
    columns = rows;
    tables = [...new Set(rows.map(({ table }) => table))].sort();
    triggers = await query<Trigger>(
      databaseUrl,
      `SELECT tgrelid::regclass::text AS "table", tgname AS name, pg_get_triggerdef(oid) AS definition,
              nullif(rtrim(encode(tgargs, 'escape'), '\\0'), '') AS argument
         FROM pg_trigger WHERE tgname LIKE 'audit%' AND tgrelid::regclass::text NOT LIKE 'audit%' ORDER BY 1, 2`,
    );
    options = new Map(
      triggers.flatMap(({ table, argument }) =>
        argument === null ? [] : [[table, JSON.parse(argument) as Options] as const],
      ),
    );
  });

  it('records every table, unless it is exempt (docs/audit-log.md)', () => {
    const wanted = tables.map((table) => [table, table in EXEMPT ? [] : (PARTLY[table] ?? ALL)]);
    const found = tables.map((table) => [
      table,
      triggers.filter((trigger) => trigger.table === table).map(({ name }) => name),
    ]);
    expect(found).toEqual(wanted);
    expect(Object.keys(EXEMPT).filter((table) => !tables.includes(table))).toEqual([]);
  });

  it('is written at the commit, but for the deletion of a user', () => {
    const early = triggers.filter(
      ({ definition }) => !/ DEFERRABLE INITIALLY DEFERRED | TRUNCATE /.test(definition),
    );
    expect(early.map(({ table, name }) => `${table} ${name}`)).toEqual(['users audit_delete']);
  });

  it('leaves out what falls by a cascade', () => {
    const rows = triggers.filter(({ argument }) => argument !== null);
    expect(rows.filter(({ definition }) => !definition.includes('pg_trigger_depth() = 0'))).toEqual([]);
  });

  it('names the types of objects that the API documents', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../openapi.json'), 'utf8');
    const { components } = JSON.parse(text) as Document;
    const documented = components.schemas.AuditObjectType.enum;
    const types = [...options.values()].map(({ type }) => type);
    expect([...new Set(types)].sort()).toEqual([...documented].sort());
    expect(types).toHaveLength(documented.length);
  });

  it('masks every column that sounds like a secret', () => {
    const unmasked = columns.filter(
      ({ table, column }) =>
        /hash|secret|sealed|password|private|encrypted/.test(column) &&
        options.has(table) &&
        !NO_SECRETS.includes(`${table}.${column}`) &&
        options.get(table)?.only?.includes(column) !== false &&
        ![options.get(table)?.secret, options.get(table)?.ignored].some((list) => list?.includes(column)),
    );
    expect(unmasked).toEqual([]);
  });

  it('speaks of columns that there are', () => {
    const unknown = [...options].flatMap(([table, { secret, ignored, only, name, user, renamed }]) =>
      [...(secret ?? []), ...(ignored ?? []), ...(only ?? []), ...Object.keys(renamed ?? {}), name, user]
        .filter((column) => column !== undefined)
        .filter((column) => !columns.some((one) => one.table === table && one.column === column))
        .map((column) => `${table}.${column}`),
    );
    expect(unknown).toEqual([]);
  });
});
