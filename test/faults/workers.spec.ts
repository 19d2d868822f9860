import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { uploadBundle } from '../builders/publication.js';
import { startServer } from '../setup/server.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { freePort } from '../setup/free-port.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;
let proxy: DatabaseProxy;
let metricsPort: number;

beforeAll(async () => {
  metricsPort = await freePort();
  site = await OwnSite.start({ WORKERS: '2', METRICS_PORT: String(metricsPort) }, async (url) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  });
});
afterAll(async () => {
  await site.dispose();
  await proxy.stop();
});

/** Processes that a server has started. */
async function workers(): Promise<number[]> {
  const { pid } = site.server.process;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** Processes that listen to changes, one for each that serves. */
const serving = (): Promise<{ pid: number }[]> =>
  site.query(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'slipway-listen' AND datname = current_database()`,
  );

it('reports metrics while the database is out of reach, without those that it alone knows', async () => {
  // All workers are there once the port is; the count of damaged files has not been asked for yet.
  await eventually(() => fetch(`http://127.0.0.1:${metricsPort}/`));
  await proxy.stop();
  try {
    await eventually(async () => {
      const metrics = await ScrapedMetrics.of(metricsPort);
      expect(metrics.value('slipway_notifications_connected')).toBe(0);
      expect(metrics.value('slipway_damaged_files')).toBeUndefined();
      expect(metrics.value('slipway_database_pool_waiting')).toBe(0);
    });
  } finally {
    await proxy.resume();
  }
});

it('adds up the metrics of all processes on one port', async () => {
  await eventually(async () => expect(await serving()).toHaveLength(2));
  await uploadBundle(await createApp(await createTenant(site)));
  await site.query(`UPDATE blobs SET damaged_at = now(), damage = 'missing'`);
  const unknown = async (): Promise<number> => {
    const metrics = await ScrapedMetrics.of(metricsPort);
    const counts = ['fast', 'express'].map(
      (path) => metrics.value('slipway_update_checks_total', { path, result: 'unknown_app' }) ?? 0,
    );
    return counts[0]! + counts[1]!;
  };
  const before = await unknown();
  for (let i = 0; i < 20; i++)
    await fetch(`${site.origin}/v1/apps/${randomUUID()}/bundles/latest?platform=0`);
  await eventually(async () => expect((await unknown()) - before).toBe(20));
  const metrics = await ScrapedMetrics.of(metricsPort);
  expect(metrics.value('slipway_notifications_connected')).toBe(1);
  // Each knows it of the same database.
  expect(metrics.value('slipway_damaged_files')).toBe(1);
});

it('serves one port from several processes', async () => {
  await eventually(async () => expect(await serving()).toHaveLength(2));
  expect(await workers()).toHaveLength(2);
  const app = await createApp(await createTenant(site));
  // The process that did not create the app is notified a moment later.
  await eventually(async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => fetch(`${site.origin}${app.path}/bundles/latest?platform=0`)),
    );
    for (const answer of answers) expect(await answer.json()).toMatchObject({ code: 'no_update' });
  });
});

it('replaces a process that was killed, and goes on meanwhile', async () => {
  const before = await workers();
  process.kill(before[0] ?? 0, 'SIGKILL');
  await eventually(async () => {
    expect(await workers()).toHaveLength(2);
    expect(await workers()).not.toEqual(before);
  });
  await eventually(async () => expect(await serving()).toHaveLength(2));
  expect((await fetch(`${site.origin}/health/ready`)).status).toBe(200);
  expect(site.server.log.some((line) => line.includes('A worker has ended and is replaced'))).toBe(true);
});

it('does not start when they cannot', async () => {
  const taken = new URL(site.origin).port;
  const beside = { DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir, WORKERS: '2', PORT: taken };
  await expect(startServer(beside)).rejects.toThrow(`Port ${taken} is in use`);
});

it.each([
  ['kills one that does not end', { SHUTDOWN_TIMEOUT_SECONDS: '1' }, 1, 0],
  ['ends at once at a second signal', {}, Infinity, 143],
])('%s', async (_what, env, signals, code) => {
  await site.restart(env);
  const pids = await workers();
  // Gets signals, and does nothing about them.
  process.kill(pids[0] ?? 0, 'SIGSTOP');
  let sent = 0;
  await eventually(() => {
    if (sent++ < signals) site.server.process.kill('SIGTERM');
    expect(site.server.process.exitCode).toBe(code);
  });
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('ends with all of them', async () => {
  await site.resume();
  expect(await site.server.stop()).toBe(0);
  expect(site.server.log.filter((line) => line.includes('"msg":"Stopped"'))).toHaveLength(3);
  expect(await serving()).toEqual([]);
});
