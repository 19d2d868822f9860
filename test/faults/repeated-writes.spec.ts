import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { setTestEnvironment, testEnvironment } from '../setup/test-environment.js';
import { makeObjects, pathOf } from '../support/access/objects.js';
import { publicRows, rows } from '../support/access/rows.js';
import { createWorld, type World } from '../support/access/world.js';
import { OwnSite } from '../support/servers/own-site.js';

/*
 * PostgreSQL ends one of two transactions that wait for each other, and the server repeats it as a whole. Here the first
 * attempt at every write fails at its commit, and the outcome must be that of a write that succeeds at once. The server
 * has a single connection: a request that waits for a second one inside its transaction would hang.
 */

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { 'x-authenticated-by'?: string }>>>>;
}

/** What a write left behind. */
interface Outcome {
  readonly status: number;
  readonly body: unknown;
  /** How many rows each table has more or fewer, with the jobs of each queue. */
  readonly rows: Readonly<Record<string, number>>;
  /** Commits that were tried. */
  readonly attempts: number;
}

/** Requests with this prefix in `X-Request-Id` fail once. */
const FAILING = 'repeat-';

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
) as Document;
const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations)
    .filter((method) => method !== 'get')
    // Runners repeat their requests by themselves: test/e2e/jobs.
    .filter((method) => operations[method]?.['x-authenticated-by'] === undefined)
    .map((method) => `${method.toUpperCase()} ${path}`)
    .filter((route) => publicRows[route] === undefined && rows[route]?.answers === undefined),
);

const shared = testEnvironment();
let site: OwnSite;
let world: World;

beforeAll(async () => {
  site = await OwnSite.start({ DATABASE_POOL_SIZE: '1' });
  setTestEnvironment({
    ...shared,
    origin: site.origin,
    databaseUrl: site.databaseUrl,
    dataDir: site.dataDir,
  });
  await site.query(`
    CREATE SEQUENCE attempts;
    CREATE FUNCTION fail_first_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_setting('slipway.actor', true) LIKE '%"requestId":"${FAILING}%'
         AND coalesce(current_setting('test.counted', true), '') = '' THEN
        PERFORM set_config('test.counted', 'yes', true);
        IF nextval('attempts') % 2 = 1 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF;
      END IF;
      RETURN NULL;
    END $$;
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT oid::regclass FROM pg_class
                   WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migrations' LOOP
        EXECUTE format('CREATE CONSTRAINT TRIGGER fail_first_attempt AFTER INSERT OR UPDATE OR DELETE ON %s
                          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_first_attempt()', name);
      END LOOP;
    END $$`);
  world = await createWorld();
});
afterAll(async () => {
  setTestEnvironment(shared);
  await site.dispose();
});

it.each(routes)('%s has the same outcome when its transaction is repeated', async (route) => {
  const expected = await write(route, 'plain-1');
  const { attempts, ...outcome } = await write(route, `${FAILING}1`);
  expect(outcome).toEqual({ status: expected.status, body: expected.body, rows: expected.rows });
  expect(expected.status).toBeLessThan(300);
  // Other writes are a single statement, or change nothing.
  if ('audit_events' in expected.rows) expect(attempts).toBeGreaterThanOrEqual(2);
});

/**
 * What follows in the background: the logs of ended jobs become blobs, events go to webhooks and mails, and what a request has
 * used of what all share is noted and removed later.
 */
function isByItself(route: string, table: string): boolean {
  if (route.includes(' /v1/jobs') && table === 'blobs') return true;
  if (/^(capacity_uses|event_positions|notice_mails|job of (webhook-|notice).*)$/.test(table)) return true;
  return !route.includes('/webhooks') && table.startsWith('webhook_');
}

async function write(route: string, requestId: string): Promise<Outcome> {
  const objects = await makeObjects(rows[route]?.alone ? await createWorld() : world, route);
  const { query, body, form } = (await rows[route]?.input?.(objects)) ?? {};
  const before = { rows: await countRows(), attempts: await countAttempts() };
  const method = route.split(' ', 1)[0]?.toLowerCase() as 'post' | 'put' | 'patch' | 'delete';
  const request = objects.world.tenant.owner.api
    .request(method, query === undefined ? pathOf(objects) : `${pathOf(objects)}?${query}`)
    .set('X-Request-Id', requestId);
  if (form) request.set('Content-Type', form.contentType);
  const response: Response = await request.send(form?.body ?? body);
  const after = await countRows();
  return {
    status: response.status,
    body: withoutValues(response.body),
    rows: Object.fromEntries(
      Object.entries(after)
        .map(([table, count]) => [table, count - (before.rows[table] ?? 0)] as const)
        .filter(([table, change]) => change !== 0 && !isByItself(route, table)),
    ),
    attempts: (await countAttempts()) - before.attempts,
  };
}

/** Number of rows of each table, and of jobs of each queue. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await site.query<{ name: string; count: number }>(
    `SELECT relname AS name,
            (xpath('/row/count/text()', query_to_xml(format('SELECT count(*) FROM %s', oid::regclass), false, true, '')))[1]::text::int
              AS count
       FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname !~ 'migrations|rate_counts|responses|download_counts|invitation_counts'
      UNION ALL SELECT 'job of ' || name, count(*)::int FROM queue.job
       WHERE name NOT LIKE '\\_\\_%' AND name NOT IN (SELECT name FROM queue.schedule) GROUP BY name`,
  );
  return Object.fromEntries(tables.map(({ name, count }) => [name, count]));
}

async function countAttempts(): Promise<number> {
  const [row] = await site.query<{ count: string }>(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS count FROM attempts',
  );
  return Number(row?.count);
}

/** The shape of a body: ids, names and times differ between two runs. */
function withoutValues(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutValues);
  if (body === null || typeof body !== 'object') return typeof body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, withoutValues(value)]));
}
