import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { type Published, publishManifest } from '../../builders/publication.js';
import { type Balancer, startCachingNginx } from '../../drills/balancers.js';
import { freePort } from '../../setup/free-port.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { IosDevice } from '../../support/devices/ios.js';
import { rawGet } from '../../support/devices/raw-get.js';
import { eventually } from '../../support/eventually.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { sha256 } from '../../support/sha256.js';

/** `npm test` needs only Node.js: without nginx, jest reports these tests as skipped. */
const describeWithNginx = spawnSync('nginx', ['-v']).error === undefined ? describe : describe.skip;

const TEXT = 'export const component = () => 1;\n'.repeat(500);
const FILES = { 'index.html': randomBytes(3000), 'app.js': TEXT };

describeWithNginx('nginx with deploy/proxies/nginx-cdn.conf', () => {
  let site: OwnSite;
  let nginx: Balancer;
  let app: TestApp;
  let manifest: Published;

  beforeAll(async () => {
    site = await OwnSite.start({ TRUST_PROXY: '1' });
    const port = await freePort();
    nginx = await startCachingNginx('nginx-cdn.conf', '10.0.0.11:3000', new URL(site.origin).host, port);
    app = await createApp(await createTenant(site));
    manifest = await publishManifest(app, FILES);
    await eventually(async () => {
      const { headers } = await rawGet(site.origin, `${manifest.path}/download?href=app.js`);
      expect(headers['cache-control']).toContain('immutable');
    });
  });
  afterAll(async () => {
    await nginx.stop();
    await site.dispose();
  });

  const get = (path: string, headers: Record<string, string> = {}) => rawGet(nginx.origin, path, headers);
  const file = (href: string): string => `${manifest.path}/download?href=${href}&${randomUUID()}`;

  it('sends a file from its cache, whole, as a range, and not at all to who has it', async () => {
    const path = file('index.html');
    const seen: unknown[] = [];
    for (let time = 0; time < 2; time++) {
      const { status, headers, body } = await get(path);
      expect(body.equals(FILES['index.html'])).toBe(true);
      expect(headers).toMatchObject({
        'x-checksum': sha256(body),
        etag: `"${sha256(body)}"`,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      seen.push([status, headers['x-cache']]);
    }
    expect(seen).toEqual([
      [200, 'MISS'],
      [200, 'HIT'],
    ]);
    const part = await get(path, { Range: 'bytes=10-19' });
    expect({ status: part.status, range: part.headers['content-range'] }).toEqual({
      status: 206,
      range: 'bytes 10-19/3000',
    });
    expect(part.body.equals(FILES['index.html'].subarray(10, 20))).toBe(true);
    const known = await get(path, { 'If-None-Match': `"${sha256(FILES['index.html'])}"` });
    expect(known.status).toBe(304);
  });

  it('fetches the whole file although the first request is for a range of it', async () => {
    const path = file('index.html');
    expect((await get(path, { Range: 'bytes=0-9' })).status).toBe(206);
    const { headers, body } = await get(path);
    expect({ cache: headers['x-cache'], length: body.length }).toEqual({ cache: 'HIT', length: 3000 });
  });

  it('keeps compressed and plain forms apart', async () => {
    const path = file('app.js');
    for (const cache of ['MISS', 'HIT']) {
      for (const [accepted, coding] of [
        ['br,gzip', 'br'],
        ['gzip', 'gzip'],
        ['identity', undefined],
      ] as const) {
        const { headers, body } = await get(path, { 'Accept-Encoding': accepted });
        expect({ cache: headers['x-cache'], coding: headers['content-encoding'] }).toEqual({ cache, coding });
        expect(body.toString()).toBe(TEXT);
        expect(headers['vary']).toBe('Accept-Encoding');
      }
    }
  });

  it('never keeps update checks, errors, or what needs a token', async () => {
    const check = `${app.path}/bundles/latest?deviceId=${randomUUID()}&platform=0&pluginVersion=8.4.3`;
    const unknown = `${app.path}/bundles/${randomUUID()}/download`;
    const list = `${app.path}/bundles`;
    for (const [path, headers, status] of [
      [check, {}, 200],
      [unknown, {}, 404],
      [list, { Authorization: `Bearer ${app.api.token ?? ''}` }, 200],
      [list, {}, 401],
    ] as const) {
      for (let time = 0; time < 2; time++) {
        const response = await get(path, headers);
        expect({ path, status: response.status }).toEqual({ path, status });
        expect(response.headers['x-cache'] ?? 'MISS').toBe('MISS');
      }
    }
  });

  it.each([AndroidDevice, IosDevice])('serves devices, which verify what they get (%p)', async (Platform) => {
    const device = new Platform({ appId: app.id, origin: nginx.origin });
    const url = `${nginx.origin}${manifest.path}/download`;
    const offer = { artifactType: 'manifest', bundleId: manifest.id, url } as const;
    await device.install({ ...offer, checksum: null, signature: null });
    const sums = (files: Iterable<readonly [string, Buffer | string]>) =>
      new Map([...files].map(([href, bytes]) => [href, sha256(bytes)]));
    expect(sums(device.files)).toEqual(sums(Object.entries(FILES)));
  });

  it('goes on while Slipway is away, and fails so that no plugin saves the error', async () => {
    const path = file('index.html');
    await get(path);
    await site.server.stop();
    const { status, headers, body } = await get(path);
    expect({ status, cache: headers['x-cache'], length: body.length }).toEqual({
      status: 200,
      cache: 'HIT',
      length: 3000,
    });
    const missing = await get(file('index.html'));
    expect(missing.status).toBe(503);
    expect(missing.headers).toMatchObject({ 'x-checksum': '0'.repeat(64), 'cache-control': 'no-store' });
  });
});
