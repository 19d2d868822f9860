import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { generateApiToken } from '../../../src/common/access/api-token.js';
import { createApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { createActor, createTenant } from '../../builders/identities.js';
import { createPerson } from '../../builders/person.js';
import { query } from '../../setup/databases.js';
import { QUICK_OPTIONS } from '../../setup/node-options.js';
import { type ServerProcess, startServer } from '../../setup/server.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';
import { uploadFiles } from '../../support/live-updates/uploads.js';
import { MovableClock } from '../../support/processes/shifted-clock.js';
import { temporaryFolder } from '../../support/processes/temporary-folders.js';
import { OwnSite } from '../../support/servers/own-site.js';

const WINDOW = 60_000;
const TOKEN = 300;
const ADDRESS = 10;
const SIGN_IN = 3;

const limits = {
  RATE_LIMIT_TOKEN: String(TOKEN),
  RATE_LIMIT_ADDRESS: String(ADDRESS),
  RATE_LIMIT_SIGN_IN: String(SIGN_IN),
};

/** A replica behind a proxy, so that each test has an address of its own, … */
let site: OwnSite;
/** … and one behind none. */
let second: ServerProcess;
let clocks: readonly [MovableClock, MovableClock];

beforeAll(async () => {
  const folder = await temporaryFolder();
  clocks = [new MovableClock(join(folder, 'first')), new MovableClock(join(folder, 'second'))];
  const [first, other] = clocks.map(({ option }) => ({ nodeOptions: [...QUICK_OPTIONS, option] }));
  site = await OwnSite.start({ ...limits, TRUST_PROXY: 'loopback' }, undefined, first);
  second = await startServer({ ...limits, DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir }, other);
  // Counts the statements that the limits cost.
  await site.query(`
    CREATE TABLE statements (at timestamptz DEFAULT now());
    CREATE FUNCTION note_statement() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO statements DEFAULT VALUES; RETURN NULL; END $$;
    CREATE TRIGGER note_statement AFTER INSERT ON rate_counts FOR EACH STATEMENT EXECUTE FUNCTION note_statement()`);
});
afterAll(async () => {
  expect(await second.stop()).toBe(0);
  await site.dispose();
});
afterEach(() => site.expectAlive());

async function moveClocks(milliseconds: number): Promise<void> {
  await Promise.all([
    clocks[0].move(milliseconds, site.server.process),
    clocks[1].move(milliseconds, second.process),
  ]);
}

/** What a test does happens in one window, which is new. */
beforeEach(() => moveClocks(WINDOW - (clocks[0].now() % WINDOW)));

let addresses = 0;
const newAddress = (): string => `198.51.100.${++addresses}`;

/** A call that no one needs a database for: without a token, it is refused. */
function call(address: string, token: string | null = null, origin = site.origin): Promise<Response> {
  const api = new Api(origin, token);
  return Promise.resolve(api.request('get', '/v1/users/me').set('X-Forwarded-For', address));
}

async function statusesOf(calls: number, make: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < calls; i++) statuses.push((await make()).status);
  return statuses;
}

const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

async function counted(policy: string, who: string): Promise<number> {
  const key = createHash('sha256').update(`${policy} ${who}`).digest('hex');
  const now = clocks[0].now();
  const [row] = await site.query<{ count: number }>(
    'SELECT count FROM rate_counts WHERE key = $1 AND window_start = $2',
    [key, new Date(now - (now % WINDOW))],
  );
  return row?.count ?? 0;
}

const statements = async (): Promise<number> =>
  (await site.query<{ n: number }>('SELECT count(*)::int AS n FROM statements'))[0]?.n ?? 0;

describe('calls without a token', () => {
  it('are limited by address: announced before, refused after, admitted again when the wait is over', async () => {
    const address = newAddress();
    for (let left = ADDRESS - 1; left >= 0; left--) {
      const { headers, status } = await call(address);
      expect(status).toBe(401);
      expect(headers['ratelimit-policy']).toBe(`"address";q=${ADDRESS};w=60`);
      expect(headers['ratelimit']).toMatch(new RegExp(`^"address";r=${left};t=\\d+$`));
    }
    const refused = await call(address);
    const { message } = expectError(refused, 429, 'rate_limited');
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(message).toBe(`Too many requests. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`);
    expect(refused.headers['ratelimit']).toBe(`"address";r=0;t=${seconds}`);
    expect((await call(newAddress())).status).toBe(401);
    await moveClocks((seconds / 2) * 1000);
    expect((await call(address)).status).toBe(429);
    await moveClocks((seconds / 2) * 1000);
    expect((await call(address)).status).toBe(401);
  });

  it('of one IPv6 network count together', async () => {
    const hosts = Array.from({ length: ADDRESS }, (_, host) => `2001:db8:1:2::${host + 1}`);
    for (const host of hosts) expect((await call(host)).status).toBe(401);
    expect((await call('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await call('2001:db8:1:3::1')).status).toBe(401);
  });

  it('do not choose their address when no proxy is trusted', async () => {
    const { origin } = second;
    expect(await statusesOf(ADDRESS, () => call(newAddress(), null, origin))).toEqual(times(ADDRESS, 401));
    expect((await call(newAddress(), null, origin)).status).toBe(429);
  });

  it('with invalid tokens count too, on every route; valid ones are let through', async () => {
    const address = newAddress();
    const actor = await createActor(site);
    const make = (): Promise<Response> => call(address, generateApiToken());
    expect(await statusesOf(ADDRESS, make)).toEqual(times(ADDRESS, 401));
    expectError(await make(), 429, 'rate_limited');
    const check = `/v1/apps/${actor.userId}/bundles/latest`;
    const guess = new Api(site.origin, generateApiToken()).request('get', check);
    expectError(await guess.set('X-Forwarded-For', address), 429, 'rate_limited');
    expect((await call(address, actor.token)).status).toBe(200);
  });

  it('with invalid tokens are refused without asking the database in the end; tokens in use are let through', async () => {
    const address = newAddress();
    const [known, unknown] = [await createActor(site), await createActor(site)];
    expect((await call(address, known.token)).status).toBe(200);
    for (let sent = 1; sent < 2 * ADDRESS; sent++) await call(address, generateApiToken());
    // It is valid, which only the database knows.
    expectError(await call(address, unknown.token), 429, 'rate_limited');
    expect((await call(address, known.token)).status).toBe(200);
    expect((await call(newAddress(), unknown.token)).status).toBe(200);
  });
});

describe('calls with a token', () => {
  it('are limited by token, in few statements, none of them while no one calls', async () => {
    const [busy, other] = [await createActor(site), await createActor(site)];
    const tokens = await site.query<{ id: string; user: string }>('SELECT id, user_id AS user FROM tokens');
    const idOf = ({ userId }: { userId: string }): string =>
      tokens.find(({ user }) => user === userId)?.id ?? '';
    const before = await statements();
    const address = newAddress();
    // One after the other: many at once would share a statement anyway.
    expect(await statusesOf(TOKEN, () => call(address, busy.token))).toEqual(times(TOKEN, 200));
    const refused = await call(newAddress(), busy.token);
    expectError(refused, 429, 'rate_limited');
    expect(refused.headers['ratelimit-policy']).toBe(`"token";q=${TOKEN};w=60`);
    const { headers, status } = await call(address, other.token);
    expect({ status, left: headers['ratelimit'] }).toEqual({
      status: 200,
      left: expect.stringMatching(new RegExp(`^"token";r=${TOKEN - 1};t=\\d+$`)) as string,
    });
    await eventually(async () => expect(await counted('token', idOf(busy))).toBe(TOKEN));
    await eventually(async () => expect(await counted('token', idOf(other))).toBe(1));
    const after = await statements();
    expect(after - before).toBeGreaterThan(0);
    expect(after - before).toBeLessThan(TOKEN / 10);
    await sleep(2500);
    expect(await statements()).toBe(after);
  });

  it('do not count on the address, which stays free for others', async () => {
    const address = newAddress();
    const { token } = await createActor(site);
    expect(await statusesOf(ADDRESS + 5, () => call(address, token))).toEqual(times(ADDRESS + 5, 200));
    const { headers } = await call(address);
    expect(headers['ratelimit']).toContain(`"address";r=${ADDRESS - 1};`);
  });

  it('that upload files of bundles are not limited, nor are many at once', async () => {
    const tenant = await createTenant(site);
    const { owner } = tenant;
    const bundle = await createBundle(await createApp(tenant));
    const left = async (): Promise<number> =>
      Number(/;r=(\d+);/.exec((await call(newAddress(), owner.token)).headers['ratelimit'] as string)?.[1]);
    const before = await left();
    const names = Array.from({ length: 20 }, () => `${randomBytes(8).toString('hex')}.js`);
    await uploadFiles(bundle, Object.fromEntries(names.map((name) => [name, name])));
    expect(await left()).toBe(before - 1);
  });
});

it('devices behind one address ask and download as often as they like', async () => {
  const app = await createApp(await createTenant(site), { appChannelDiscoveryEnabled: true });
  const address = newAddress();
  const device = new Api(site.origin, null);
  const ask = (path: string): Promise<Response> =>
    Promise.resolve(device.request('get', path).set('X-Forwarded-For', address));
  const paths = [
    `${app.path}/bundles/latest?appVersionCode=1&appVersionName=1&osVersion=1&platform=0&pluginVersion=7.0.0`,
    `${app.path}/bundles/${app.id}/download`,
    `${app.path}/channels`,
    '/health/live',
    '/health/ready',
  ];
  for (const path of paths) {
    const statuses = await statusesOf(ADDRESS + 5, () => ask(path));
    expect({ path, limited: statuses.includes(429) }).toEqual({ path, limited: false });
    expect((await ask(path)).headers).not.toHaveProperty('ratelimit');
  }
  expect((await call(address)).headers['ratelimit']).toContain(`"address";r=${ADDRESS - 1};`);
});

describe('signing in', () => {
  it('is limited by address, with a page that people can read', async () => {
    const person = await createPerson(site);
    const browser = new Browser(site.origin, { 'X-Forwarded-For': newAddress() });
    await browser.open('/login');
    const attempt = () => browser.submit('/login', { email: person.email, password: 'not this one' });
    for (let i = 0; i < SIGN_IN; i++) expect((await attempt()).status).toBe(422);
    const { headers, html, status } = await attempt();
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toMatch(/Too many requests\. Try again in \d+ seconds?\./);
    expect((await browser.open('/login')).status).toBe(200);
  });

  it('of programs: beginning is limited, waiting is not in the way', async () => {
    const address = newAddress();
    const program = new Api(site.origin, null);
    const send = (path: string, body = {}): Promise<Response> =>
      Promise.resolve(program.request('post', path).set('X-Forwarded-For', address).send(body));
    const { body } = await send('/v1/sessions/codes');
    const { code } = body as { code: string };
    for (let i = 1; i < SIGN_IN; i++) expect((await send('/v1/sessions/codes')).status).toBe(201);
    expectError(await send('/v1/sessions/codes'), 429, 'rate_limited');
    const polled = await statusesOf(20, () => send('/v1/sessions', { code }));
    expect(polled).toEqual(times(20, 400));
  });
});

describe('several replicas', () => {
  it('share what they count', async () => {
    const address = '127.0.0.1';
    await statusesOf(ADDRESS - 2, () => call(address));
    await eventually(async () => expect(await counted('address', address)).toBe(ADDRESS - 2));
    // The second replica does not know of these calls yet; it does when it reports this one.
    expect((await call(address, null, second.origin)).status).toBe(401);
    await eventually(async () => expect(await counted('address', address)).toBe(ADDRESS - 1));
    await sleep(500);
    expect(await statusesOf(3, () => call(address, null, second.origin))).toEqual([401, 429, 429]);
  });

  it('count each for itself while the database is away, and say so once', async () => {
    const { pathname } = new URL(site.databaseUrl);
    const elsewhere = new URL(site.databaseUrl);
    elsewhere.pathname = '/postgres';
    const allow = (allowed: boolean) =>
      query(elsewhere.href, `ALTER DATABASE ${pathname.slice(1)} ALLOW_CONNECTIONS ${allowed}`);
    const said = (text: string): number => site.server.log.filter((line) => line.includes(text)).length;
    const address = newAddress();
    await allow(false);
    try {
      await query(
        elsewhere.href,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [pathname.slice(1)],
      );
      expect(await statusesOf(ADDRESS + 1, () => call(address))).toEqual([...times(ADDRESS, 401), 429]);
      await eventually(() => expect(said('Rate limits are not shared')).toBe(1));
      await sleep(2500);
      expect(said('Rate limits are not shared')).toBe(1);
    } finally {
      await allow(true);
    }
    await eventually(() => expect(said('Rate limits are shared')).toBe(1));
  });
});
