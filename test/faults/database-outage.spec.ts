import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, registerBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { uploadBundle } from '../builders/publication.js';
import { builtDatabase } from '../setup/built.js';
import { query } from '../setup/databases.js';
import { type ServerProcess, startServer } from '../setup/server.js';
import { type RawResponse, rawGet } from '../support/devices/raw-get.js';
import { publish, uploadFiles } from '../support/live-updates/uploads.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { freePort } from '../setup/free-port.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { sha256 } from '../support/sha256.js';

const UNKNOWN_APP = '00000000-0000-4000-8000-000000000000';

type Postgres = Awaited<ReturnType<Awaited<ReturnType<typeof builtDatabase>>['startEmbeddedPostgres']>>;

let folder: string;
let postgres: Postgres;
let proxy: DatabaseProxy;
let server: ServerProcess;
let strict: ServerProcess;
let metricsPort: number;
let app: TestApp;
let cold: TestApp;
let token: string;

/** PostgreSQL of its own, which this test stops and starts again. */
async function startPostgres(): Promise<void> {
  const { startEmbeddedPostgres } = await builtDatabase();
  postgres = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-outage-'));
  await startPostgres();
  await (await builtDatabase()).migrate(postgres.url);
  proxy = await DatabaseProxy.start(postgres.url);
  metricsPort = await freePort();
  const env = { DATABASE_URL: proxy.url, DATA_DIR: folder };
  server = await startServer({ ...env, METRICS_PORT: String(metricsPort) });
  strict = await startServer({ ...env, STALE_RELEASES_MAX_SECONDS: '0' });
  const tenant = await createTenant({ origin: server.origin, databaseUrl: postgres.url });
  token = tenant.owner.token;
  app = await createApp(tenant);
  cold = await createApp(tenant);
});
afterAll(async () => {
  await server.kill();
  await strict.kill();
  await proxy.stop().catch(() => undefined);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const codeOf = ({ body }: RawResponse): unknown => (JSON.parse(body.toString()) as { code?: string }).code;

const check = (path: string, origin = server.origin, more = ''): Promise<RawResponse> =>
  rawGet(origin, `${path}/bundles/latest?platform=0&pluginVersion=8.4.3&deviceId=device${more}`);

async function expectAway(response: Promise<RawResponse>): Promise<void> {
  const answer = await response;
  expect({ status: answer.status, code: codeOf(answer) }).toEqual({
    status: 503,
    code: 'database_unavailable',
  });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

const ready = async (more = '', origin = server.origin): Promise<number> =>
  (await rawGet(origin, `/health/ready${more}`)).status;

/** Requests with a token, as people and the command-line tool send them. */
async function manage(): Promise<{ status: number; code: unknown; retryAfter: string | null }[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const requests: [string, RequestInit][] = [
    ['/v1/apps', {}],
    [app.path, {}],
    [`${app.path}/channels`, { method: 'POST', body: JSON.stringify({ name: 'beta' }) }],
    [
      `${app.path}/channels/${app.defaultChannelId}`,
      { method: 'PATCH', body: JSON.stringify({ name: 'x' }) },
    ],
    [`${app.path}/devices`, {}],
    [`${app.path}/bundles`, { method: 'POST', body: JSON.stringify({ artifactType: 'zip' }) }],
    ['/v1/sessions', { method: 'POST', body: JSON.stringify({ email: 'a@example.com', password: 'x' }) }],
    [`${app.path}/channels/discover`, {}],
  ];
  return Promise.all(
    requests.map(async ([path, init]) => {
      const response = await fetch(`${server.origin}${path}`, { headers, ...init });
      const { code } = (await response.json()) as { code?: string };
      return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
    }),
  );
}

it('answers checks and downloads while PostgreSQL is stopped, and everything else with 503', async () => {
  const zip = await uploadBundle(app);
  const manifest = await createBundle(cold);
  await uploadFiles(manifest, { 'index.html': '<html>', 'app.js': 'let a = 1;'.repeat(900) });
  expect((await publish(manifest)).status).toBe(200);
  const filePath = `${manifest.path}/download?href=app.js`;
  const never = `${manifest.path}/download?href=index.html`;
  const download = (path: string): Promise<RawResponse> => rawGet(server.origin, path);
  // What devices got before. The change of the publication has arrived when the table stays.
  await eventually(async () => {
    const before = (await ScrapedMetrics.of(metricsPort)).value('slipway_release_cache_lookups_total', {
      result: 'miss',
    });
    for (const origin of [server.origin, strict.origin])
      expect((await check(app.path, origin)).status).toBe(200);
    await sleep(300);
    await check(app.path);
    const after = await ScrapedMetrics.of(metricsPort);
    expect(after.value('slipway_release_cache_lookups_total', { result: 'miss' })).toBe(before);
  });
  await sleep(1000);
  for (const path of [`${zip.path}/download`, filePath]) expect((await download(path)).status).toBe(200);
  expect([await ready(), await ready('?for=writes')]).toEqual([200, 200]);
  const logged = server.log.length;

  await postgres.stop();
  const statuses = new Map<number, number>();
  const started = Date.now();
  let isAway = true;
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isAway) {
        const answer = await check(app.path);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 200)
          expect(JSON.parse(answer.body.toString())).toMatchObject({ bundleId: zip.id });
        await sleep(2);
      }
    }),
  );
  const managed: Awaited<ReturnType<typeof manage>> = [];
  let coldChecks = 0;
  let downloads = 0;
  for (let round = 0; round < 12; round++) {
    // Then the server cannot even connect to where PostgreSQL was.
    if (round === 6) await proxy.stop();
    managed.push(...(await manage()));
    for (const path of [cold.path, `/v1/apps/${UNKNOWN_APP}`]) {
      await expectAway(check(path));
      coldChecks++;
    }
    await expectAway(check(app.path, strict.origin));
    const bytes = await download(`${zip.path}/download`);
    expect([bytes.status, sha256(bytes.body)]).toEqual([200, sha256(zip.bytes)]);
    expect((await download(filePath)).status).toBe(200);
    downloads += 2;
    await expectAway(download(never));
    expect([await ready(), await ready('?for=writes')]).toEqual([200, 503]);
    expect(await ready('', strict.origin)).toBe(503);
    await sleep(250);
  }
  // A device that sends unusual parameters is answered by Express.
  expect((await check(app.path, server.origin, '&device%49d=x')).status).toBe(200);
  const seconds = (Date.now() - started) / 1000;
  isAway = false;
  await load;
  const lines = server.log.slice(logged);
  const metrics = await ScrapedMetrics.of(metricsPort);

  expect([...statuses.keys()]).toEqual([200]);
  expect(new Set(managed.map(({ status, code }) => `${status} ${String(code)}`))).toEqual(
    new Set(['503 database_unavailable']),
  );
  expect(managed.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
  expect(metrics.value('slipway_releases_stale')).toBe(1);
  expect(metrics.value('slipway_stale_update_checks_total')).toBeGreaterThan(100);
  expect(metrics.value('slipway_stale_downloads_total')).toBeGreaterThanOrEqual(downloads);
  expect(lines.filter((line) => line.includes('\\n    at '))).toEqual([]);
  // Each kind of failure is logged once, then counted for some seconds. Requests are logged as always.
  const failures = lines.filter((line) => !line.includes('"msg":"request completed"'));
  expect(failures.length).toBeLessThan(50 + 5 * seconds);
  expect(lines.join('\n')).toContain('"event":"releases_stale"');
  process.stdout.write(
    `Outage: ${JSON.stringify({
      seconds,
      checks: statuses.get(200),
      managed: managed.length,
      coldChecks,
      downloads,
      lines: failures.length,
    })}\n`,
  );

  // A change whose notification this server does not receive.
  await startPostgres();
  await query(postgres.url, 'UPDATE channels SET paused_at = now() WHERE id = $1', [app.defaultChannelId]);
  expect((await check(app.path)).status).toBe(200);
  await proxy.resume();
  await eventually(async () => {
    const answer = await check(app.path);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'no_update']);
  });
  await eventually(async () => expect(await ready('?for=writes')).toBe(200));
  await eventually(async () => expect((await manage())[0]?.status).toBe(200));
  const decision = await app.api.get(`${app.path}/devices/device/decision`);
  expect(decision.body).toMatchObject({
    reason: 'channel-paused',
    staleReleases: { from: expect.any(String) as string, to: expect.any(String) as string },
  });
  expect((await ScrapedMetrics.of(metricsPort)).value('slipway_releases_stale')).toBe(0);
});

it('repeats a write whose commit was lost with the database, by its key', async () => {
  await registerBundle(app);
  const committed = proxy.holdNextCommit();
  const create = (): Promise<Response> =>
    fetch(`${server.origin}${app.path}/channels`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
      },
      body: JSON.stringify({ name: 'gamma' }),
    });
  const first = create();
  await committed;
  await proxy.stop();
  const lost = await first;
  expect([lost.status, ((await lost.json()) as { code: string }).code]).toEqual([
    503,
    'database_unavailable',
  ]);
  await proxy.resume();
  await eventually(async () => {
    const again = await create();
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
