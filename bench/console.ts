import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { seededId } from '../scripts/seed/ids.ts';
import { printedProgress } from '../scripts/seed/progress.ts';
import { seed } from '../scripts/seed/seed.ts';
import { DEFAULT_SIZES } from '../scripts/seed/sizes.ts';
import { builtPasswords } from '../test/setup/built.ts';
import { query } from '../test/setup/databases.ts';
import { Chromium } from '../test/support/http/chromium.ts';
import { STATEMENT_SETTINGS } from './claims/profile.ts';
import { type Instance, withInstance } from './instance.ts';
import { median, rounded, time } from './measure.ts';
import { Results, type Row } from './results.ts';

/**
 * `npm run bench:console`: what the requests take with which each screen of the console begins, in an organization with
 * many apps, one of which has many devices and channels. Chromium opens the screens, and shows which requests these are.
 * docs/performance.md has the figures.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

const SCALE = options.quick ? 100 : 1;
const SIZES = {
  ...DEFAULT_SIZES,
  apps: 300 / (options.quick ? 10 : 1),
  channels: 2000 / SCALE,
  bundles: 2000 / SCALE,
  deployments: 20_000 / SCALE,
  devices: 1_000_000 / SCALE,
  historyDays: 30,
};
/** Of each path. */
const REQUESTS = 20;
/** Milliseconds that none of them may take in the middle. */
const GOAL = 300;
/** How long after its last request a screen is complete, in milliseconds. */
const QUIET = 2000;

async function measure(instance: Instance): Promise<void> {
  const { databaseUrl } = instance;
  const { appId, organizationId } = await seed(databaseUrl, SIZES, printedProgress(process.stdout));
  await query(databaseUrl, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  // Of the channel of all devices.
  const newest = seededId(
    appId,
    'deployment',
    SIZES.deployments - (SIZES.deployments % (SIZES.channels + 1)),
  );
  const { appChannelId } = await instance.call<{ appChannelId: string }>(
    'GET',
    `/v1/apps/${appId}/deployments/${newest}`,
  );
  const screens = {
    apps: `/?organization=${organizationId}`,
    overview: `/apps/${appId}`,
    channels: `/apps/${appId}/channels`,
    channel: `/apps/${appId}/channels/${appChannelId}`,
    release: `/apps/${appId}/deployments/${newest}`,
    devices: `/apps/${appId}/devices`,
    device: `/apps/${appId}/devices?id=${seededId(appId, 'device', 10)}`,
    publish: `/apps/${appId}/publish`,
    builds: `/apps/${appId}/builds`,
  };
  const chromium = await Chromium.start();
  const table: Row[] = [];
  try {
    const page = await signedIn(chromium, instance);
    for (const [screen, path] of Object.entries(screens)) {
      for (const request of await requestsOf(page, instance.origin + path)) {
        const row: Row = { screen, request: nameOf(request), ...(await timesOf(instance, request)) };
        console.log(`${screen} ${row['request']}: ${row['median (ms)']} ms`);
        table.push(row);
      }
    }
  } finally {
    await chromium.stop();
  }
  const results = new Results('console');
  results.add('The first requests of each screen', table);
  await results.write();
  if (!options.quick && table.some((row) => Number(row['median (ms)']) > GOAL)) process.exitCode = 1;
}

/** A page on which the owner has signed in. */
async function signedIn(chromium: Chromium, { origin, databaseUrl }: Instance): Promise<Page> {
  const { hashPassword } = await builtPasswords();
  const password = 'correct horse battery staple';
  await query(
    databaseUrl,
    `INSERT INTO passwords (id, user_id, hash) SELECT gen_random_uuid(), id, $1 FROM users
      WHERE email = 'bench@example.com'`,
    [await hashPassword(password)],
  );
  const page = await chromium.open();
  await page.goto(`${origin}/login`);
  await page.getByLabel('E-mail address').fill('bench@example.com');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Paths of the API, with their queries, that a screen asks for until it is complete; without its stream of changes. */
async function requestsOf(page: Page, address: string): Promise<string[]> {
  const paths = new Set<string>();
  let last = performance.now();
  let open = 0;
  const note = (change: number) => (request: { url(): string }) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/v1/') || pathname.endsWith('/changes')) return;
    paths.add(pathname + search);
    open += change;
    last = performance.now();
  };
  const [begins, ends] = [note(1), note(-1)];
  page.on('request', begins).on('requestfinished', ends).on('requestfailed', ends);
  await page.goto(address);
  await page.locator('main').waitFor();
  while (open > 0 || performance.now() - last < QUIET) await page.waitForTimeout(100);
  page.off('request', begins).off('requestfinished', ends).off('requestfailed', ends);
  return [...paths];
}

async function timesOf({ call, databaseUrl }: Instance, path: string): Promise<Row> {
  const first = 1000 * (await time(() => call('GET', path)));
  await query(databaseUrl, 'SELECT pg_stat_statements_reset()');
  await call('GET', path);
  const [{ statements } = { statements: 0 }] = await query<{ statements: number }>(
    databaseUrl,
    // Those of requests: the queue, locks and counts have connections of their own, or run all the time.
    `SELECT coalesce(sum(calls), 0)::int AS statements FROM pg_stat_statements
      WHERE query !~* '^(BEGIN|COMMIT|SET|SHOW|DEALLOCATE)' AND query !~ 'pg_stat_statements|queue\\.|pg_notify|MATERIALIZED'`,
  );
  const times: number[] = [];
  for (let request = 0; request < REQUESTS; request++) {
    times.push(1000 * (await time(() => call('GET', path))));
  }
  return {
    'first (ms)': rounded(first),
    'median (ms)': rounded(median(times)),
    'worst (ms)': rounded(Math.max(...times)),
    statements,
  };
}

/** A path without ids and long lists. */
function nameOf(path: string): string {
  return decodeURIComponent(path)
    .replace(/[0-9a-f-]{36}(,[0-9a-f-]{36})+/g, (ids) => `… (${ids.split(',').length})`)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
}

await withInstance(measure, { settings: STATEMENT_SETTINGS });
