import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { type Claimed, createRunner, queueJobs, type TestRunner } from '../builders/runner.js';
import type { ServerProcess } from '../setup/server.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

const JOBS = 1000;
const RUNNERS = 200;
const LIMIT = 150;
const APP_LIMIT = 20;

let proxy: DatabaseProxy;
let site: OwnSite;
let second: ServerProcess;
let tenant: Tenant;

beforeAll(async () => {
  site = await OwnSite.start({ RATE_LIMIT_TOKEN: '0', RATE_LIMIT_RUNNER: '0' }, async (url) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  });
  second = await OwnSite.beside(site);
});
beforeEach(async () => {
  await site.resume();
  tenant = await createTenant(site);
});
afterAll(async () => {
  await second.kill();
  await site.dispose();
  await proxy.stop().catch(() => undefined);
});

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
afterAll(() => agent.destroy());

interface ClaimResponse {
  readonly status: number;
  readonly body: Claimed | null;
}

/** A claim as a runner sends it, to one of the replicas. */
async function claim(
  { api, sessionId }: TestRunner,
  {
    claimId = randomUUID() as string,
    origin = site.origin,
    signal = undefined as AbortSignal | undefined,
  } = {},
): Promise<ClaimResponse> {
  const sent = request(`${origin}/v1/runner/claims`, {
    method: 'POST',
    agent,
    ...(signal ? { signal } : {}),
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify({ sessionId, claimId }));
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  const text = Buffer.concat(chunks).toString();
  return { status: response.statusCode ?? 0, body: text === '' ? null : (JSON.parse(text) as Claimed) };
}

async function createRunners(count: number, values: object = {}): Promise<TestRunner[]> {
  const runners: TestRunner[] = [];
  while (runners.length < count) {
    const batch = Math.min(20, count - runners.length);
    runners.push(...(await Promise.all(Array.from({ length: batch }, () => createRunner(tenant, values)))));
  }
  return runners;
}

/** The same end as that of a job that a person cancels. */
const END = `WITH ended AS (
    UPDATE jobs SET status = 'canceled', canceled_at = now(), finished_at = now() WHERE id = $1 RETURNING id)
  DELETE FROM job_leases USING ended WHERE job_id = ended.id`;

it('gives 1,000 jobs to 200 runners at two replicas: none twice, limits exact, fair by app', async () => {
  const apps: TestApp[] = [];
  for (let n = 0; n < 10; n++) apps.push(await createApp(tenant));
  const limited = apps[0] as TestApp;
  await site.query('INSERT INTO job_queues (organization_id, running_limit) VALUES ($1, $2)', [
    tenant.organizationId,
    LIMIT,
  ]);
  await site.query('INSERT INTO job_queue_apps (app_id, running_limit) VALUES ($1, $2)', [
    limited.id,
    APP_LIMIT,
  ]);
  const runners = await createRunners(RUNNERS);
  for (const app of apps) await queueJobs(app, JOBS / apps.length, {}, site);

  const got = new Map<string, string>();
  const order: string[] = [];
  const peak = { all: 0, limited: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const [row] = await site.query<{ all: number; limited: number }>(
        `SELECT count(*)::int AS all, count(*) FILTER (WHERE app_id = $1)::int AS limited
           FROM jobs WHERE status IN ('pending', 'in_progress') AND organization_id = $2`,
        [limited.id, tenant.organizationId],
      );
      peak.all = Math.max(peak.all, row?.all ?? 0);
      peak.limited = Math.max(peak.limited, row?.limited ?? 0);
      await sleep(20);
    }
  })();
  await Promise.all(
    runners.map(async (runner, index) => {
      const origin = index % 2 === 0 ? site.origin : second.origin;
      while (got.size < JOBS) {
        const { status, body } = await claim(runner, { origin });
        if (status === 204) continue;
        expect(status).toBe(200);
        const { id, appId } = (body as Claimed).job;
        expect(got.get(id)).toBeUndefined();
        got.set(id, runner.id);
        order.push(appId);
        await sleep(50);
        await site.query(END, [id]);
      }
    }),
  );
  isOver = true;
  await watching;

  expect(got.size).toBe(JOBS);
  expect(peak.all).toBeLessThanOrEqual(LIMIT);
  expect(peak.limited).toBeLessThanOrEqual(APP_LIMIT);
  // Every app has its turn: after the first half, each has had its share of it, give or take.
  const half = order.slice(0, JOBS / 2);
  for (const app of apps.slice(1)) {
    const share = half.filter((id) => id === app.id).length;
    expect(Math.abs(share - half.length / apps.length)).toBeLessThan(25);
  }
});

it('asks the database nothing while 200 runners wait', async () => {
  const runners = await createRunners(RUNNERS);
  const gone = new AbortController();
  const waiting = runners.map((runner) => claim(runner, { signal: gone.signal }).catch(() => null));
  await eventually(async () => {
    const [row] = await site.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM runner_sessions JOIN runners ON runners.id = runner_id
        WHERE organization_id = $1 AND last_seen_at > runner_sessions.created_at`,
      [tenant.organizationId],
    );
    expect(row?.count).toBe(RUNNERS);
  });
  await sleep(2000);
  const end = proxy.record();
  await sleep(5000);
  const sent = end();
  const about = (table: string): number => sent.split(`${table} `).length - 1;
  // One look of each replica in ten seconds, and what expires leases.
  expect(about('FROM jobs')).toBeLessThanOrEqual(6);
  expect(about('runner_sessions')).toBeLessThanOrEqual(2);
  expect(about('FROM runners')).toBe(0);
  gone.abort();
  await Promise.all(waiting);
});

it('keeps the limit exact when 100 claims at two replicas want one of two places', async () => {
  const app = await createApp(tenant);
  await site.query('INSERT INTO job_queues (organization_id, running_limit) VALUES ($1, 2)', [
    tenant.organizationId,
  ]);
  const runners = await createRunners(100);
  const gone = new AbortController();
  const responses = runners.map((runner, index) =>
    claim(runner, { origin: index % 2 === 0 ? site.origin : second.origin, signal: gone.signal }).catch(
      () => null,
    ),
  );
  await queueJobs(app, 100, {}, site);
  await Promise.race([Promise.all(responses), sleep(4000)]);
  const running = await site.query(
    `SELECT id FROM jobs WHERE status IN ('pending', 'in_progress') AND organization_id = $1`,
    [tenant.organizationId],
  );
  expect(running).toHaveLength(2);
  gone.abort();
  const got = (await Promise.all(responses)).filter((response) => response?.status === 200);
  expect(got).toHaveLength(2);
});

it('responses a claim again whose server was killed between the commit and the response', async () => {
  const app = await createApp(tenant);
  const [runner] = (await createRunners(1)) as [TestRunner];
  const claimId = randomUUID();
  const lost = claim(runner, { claimId }).catch((error: unknown) => error);
  await sleep(500);
  const committed = proxy.holdNextCommit();
  const [jobId] = await queueJobs(app, 1, {}, site);
  await committed;
  await site.server.kill();
  expect(await lost).toMatchObject({ code: 'ECONNRESET' });
  proxy.release();
  const { status, body } = await claim(runner, { claimId, origin: second.origin });
  expect([status, body?.job.id]).toEqual([200, jobId]);
  expect(await site.query('SELECT id FROM job_leases WHERE runner_id = $1', [runner.id])).toHaveLength(1);
});

it('responses waiting claims with 204 at SIGTERM', async () => {
  const [runner] = (await createRunners(1)) as [TestRunner];
  const waiting = claim(runner);
  await sleep(500);
  const stopped = site.server.stop();
  expect((await waiting).status).toBe(204);
  expect(await stopped).toBe(0);
});

it('waits out a database that is away, and goes on when it is back', async () => {
  const app = await createApp(tenant);
  const [waitingRunner, other] = (await createRunners(2)) as [TestRunner, TestRunner];
  const waiting = claim(waitingRunner);
  await sleep(500);
  await proxy.stop();
  await eventually(async () => expect((await claim(other)).status).toBe(503));
  await sleep(3000);
  await proxy.resume();
  await queueJobs(app, 2, {}, site);
  expect((await waiting).status).toBe(200);
  await eventually(async () => expect((await claim(other)).status).toBe(200));
});
