import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../src/config/version.js';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { startServer } from '../setup/server.js';
import { eventually } from '../support/eventually.js';
import { getAndLeave } from '../support/http/abrupt-client.js';
import { publish, uploadFiles } from '../support/live-updates/uploads.js';
import { freePort } from '../setup/free-port.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

/** Clients that leave with the last byte. */
const CLIENTS = 100;
const UNKNOWN_APP = '00000000-0000-4000-8000-000000000000';
const DEVICE = '7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11';

let site: OwnSite;
let port: number;
let app: TestApp;

beforeAll(async () => {
  port = await freePort();
  site = await OwnSite.start({ METRICS_PORT: String(port) });
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

const scrape = (): Promise<ScrapedMetrics> => ScrapedMetrics.of(port);

const checks = (metrics: ScrapedMetrics, path: string): Record<string, number | undefined> =>
  Object.fromEntries(
    ['update', 'none', 'unknown_app'].map((result) => [
      result,
      metrics.value('slipway_update_checks_total', { path, result }),
    ]),
  );

describe('metrics', () => {
  it('count update checks by path and result, and the devices that asked', async () => {
    const bundle = await createBundle(app);
    await uploadFiles(bundle, { 'index.html': '<html>' });
    expect((await publish(bundle)).status).toBe(200);
    // Until the change of the app has arrived, its table may be dropped again.
    const query = `/bundles/latest?platform=0&deviceId=${DEVICE}&pluginVersion=8.4.3`;
    const check = (path: string): Promise<Response> => fetch(`${site.origin}${path}`);
    await eventually(async () => {
      await check(`${app.path}${query}`);
      expect(checks(await scrape(), 'fast')['update']).toBeGreaterThan(0);
    });
    const before = await scrape();
    for (let i = 0; i < 3; i++) expect((await check(`${app.path}${query}`)).status).toBe(200);
    await check(`${app.path}${query}&channelName=unknown`);
    await check(`/v1/apps/${UNKNOWN_APP}${query}`);
    for (const path of [`${app.path}${query}`, `/v1/apps/${UNKNOWN_APP}${query}`])
      await fetch(`${site.origin}${path}`, { headers: { 'If-None-Match': '"x"' } });
    const after = await scrape();
    const grown = (path: string): Record<string, number> =>
      Object.fromEntries(
        Object.entries(checks(after, path)).map(([result, value]) => [
          result,
          (value ?? NaN) - (checks(before, path)[result] ?? NaN),
        ]),
      );
    expect(grown('fast')).toEqual({ update: 3, none: 1, unknown_app: 1 });
    expect(grown('express')).toEqual({ update: 1, none: 0, unknown_app: 1 });
    expect(after.value('slipway_release_cache_apps')).toBe(1);
    expect(after.value('slipway_release_cache_bytes')).toBeGreaterThan(0);
    expect(after.value('slipway_release_cache_lookups_total', { result: 'hit' })).toBeGreaterThan(5);
    expect(after.value('slipway_release_cache_lookups_total', { result: 'miss' })).toBeGreaterThan(0);
    await eventually(async () => {
      const metrics = await scrape();
      expect(metrics.value('slipway_check_in_buffer_size')).toBe(0);
      expect(metrics.value('slipway_check_ins_total', { outcome: 'written' })).toBeGreaterThan(0);
      expect(metrics.value('slipway_check_ins_total', { outcome: 'dropped' })).toBe(0);
    });
  });

  it('count requests by the pattern of their route, also refused ones and those that no route has', async () => {
    await fetch(`${site.origin}${app.path}/channels`);
    await fetch(`${site.origin}/secret/${app.id}`);
    await eventually(async () => {
      const metrics = await scrape();
      const route = { method: 'GET', route: '/v1/apps/:appId/channels' };
      expect(metrics.value('slipway_http_requests_total', { ...route, status: '401' })).toBe(1);
      expect(metrics.value('slipway_http_request_duration_seconds_count', route)).toBe(1);
      const none = { method: 'GET', route: 'none', status: '404' };
      expect(metrics.value('slipway_http_requests_total', none)).toBe(1);
    });
  });

  it('count a download as complete when the client leaves with the last byte, and as aborted when it leaves earlier', async () => {
    const bundle = await createBundle(app);
    // The sizes around those in which files are read, and one that fills every buffer.
    const sizes = {
      'index.html': 1,
      'b.bin': 65_536,
      'c.bin': 65_537,
      'd.bin': 300_000,
      'z.bin': 30_000_000,
    };
    const files = Object.entries(sizes).map(([href, size]) => [href, randomBytes(size)] as const);
    await uploadFiles(bundle, Object.fromEntries(files));
    expect((await publish(bundle)).status).toBe(200);
    const pathOf = (href: string): string => `${bundle.path}/download?href=${href}`;
    const counted = async (status: string): Promise<number> =>
      (await scrape()).value('slipway_http_requests_total', {
        method: 'GET',
        route: '/v1/apps/:appId/bundles/:bundleId/download',
        status,
      }) ?? 0;
    const [complete, aborted] = [await counted('200'), await counted('aborted')];
    for (const [href, bytes] of files.slice(0, -1)) {
      const clients = Array.from({ length: CLIENTS / 4 }, () => getAndLeave(site.origin, pathOf(href)));
      expect(new Set(await Promise.all(clients))).toEqual(new Set([bytes.length]));
    }
    await Promise.all(Array.from({ length: 10 }, () => getAndLeave(site.origin, pathOf('z.bin'), 1000)));
    await eventually(async () => {
      expect([(await counted('200')) - complete, (await counted('aborted')) - aborted]).toEqual([
        CLIENTS,
        10,
      ]);
    });
    await eventually(async () => {
      const counts = await site.query(
        `SELECT sum(downloads)::int AS downloads, sum(bytes)::int AS bytes FROM download_counts
          WHERE artifact_id = $1`,
        [bundle.id],
      );
      const bytes = files.slice(0, -1).reduce((sum, [, content]) => sum + content.length, 0);
      expect(counts).toEqual([{ downloads: CLIENTS, bytes: (bytes * CLIENTS) / 4 }]);
    });
  });

  it('report the state of the connections', async () => {
    await eventually(async () => {
      const metrics = await scrape();
      expect(metrics.value('slipway_notifications_connected')).toBe(1);
      expect(metrics.value('slipway_database_pool_size')).toBeGreaterThan(0);
      expect(metrics.value('slipway_database_pool_waiting')).toBe(0);
      expect(metrics.value('process_start_time_seconds')).toBeGreaterThan(0);
    });
  });

  it('name the version', async () => {
    expect((await scrape()).value('slipway_build_info', { version: VERSION })).toBe(1);
  });

  it('have no ids and nothing of a person in their labels', async () => {
    const { labelValues } = await scrape();
    expect(labelValues).toContain('/v1/apps/:appId/bundles/latest');
    expect(labelValues.filter((value) => /[0-9a-f]{8}-|@|\?/.test(value))).toEqual([]);
  });

  it('are those of the table in the documentation', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(slipway_\w+)/gm)].map(([, name]) => name);
    const names = (await scrape()).names.filter((name) => name.startsWith('slipway_'));
    expect(documented.sort()).toEqual(names.sort());
  });

  it('are served on their own port only, and nothing else is there', async () => {
    const public_ = await fetch(`${site.origin}/metrics`);
    expect(public_.status).toBe(404);
    expect(await public_.text()).not.toContain('slipway_');
    for (const path of ['/', '/health/live', '/metrics/x', `${app.path}/bundles/latest?platform=0`])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('show files that are known to be damaged, in the database of all servers', async () => {
    const bundle = await createBundle(app);
    await uploadFiles(bundle, { 'index.html': '<html>', 'app.js': 'app' });
    expect((await publish(bundle)).status).toBe(200);
    expect((await scrape()).value('slipway_damaged_files')).toBe(0);
    const [blob] = await site.query<{ id: string }>('SELECT id FROM blobs WHERE sha256 = $1', [
      sha256('app'),
    ]);
    await writeFile(site.pathOf(blob!.id), 'XXX');
    await site.query(`UPDATE blobs SET verified_at = now() - interval '31 days' WHERE id = $1`, [blob!.id]);
    await site.server.stop();
    await expect(scrape()).rejects.toThrow('fetch failed');
    await site.restart();
    await eventually(async () => expect((await scrape()).value('slipway_damaged_files')).toBe(1));
  });

  it('stop the start when their port is taken', async () => {
    const beside = { DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir, METRICS_PORT: String(port) };
    await expect(startServer(beside)).rejects.toThrow(`Port ${port} is in use`);
  });
});
