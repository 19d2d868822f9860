import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { type Balancer, startCachingNginx } from '../drills/balancers.js';
import { freePort } from '../setup/free-port.js';
import { AndroidDevice } from '../support/devices/android.js';
import { IosDevice } from '../support/devices/ios.js';
import { rawGet } from '../support/devices/raw-get.js';
import { zipOf } from '../support/live-updates/archives.js';
import { postFile, publish } from '../support/live-updates/uploads.js';
import { StoreProxy } from '../support/s3/store-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

const describeWithNginx = spawnSync('nginx', ['-v']).error === undefined ? describe : describe.skip;
const DEVICE = { 'X-Capawesome-Device-Id': randomUUID() };

describeWithNginx('nginx with deploy/proxies/nginx-bucket.conf', () => {
  let store: StoreProxy;
  let nginx: Balancer;
  let site: OwnSite;
  let app: TestApp;
  let zip: TestBundle;
  let bytes: Buffer;

  beforeAll(async () => {
    store = await StoreProxy.start(process.env['S3_ENDPOINT'] ?? '');
    const port = await freePort();
    nginx = await startCachingNginx('nginx-bucket.conf', '10.0.0.20:8333', new URL(store.url).host, port);
    site = await OwnSite.start({
      S3_PUBLIC_ENDPOINT: store.url,
      DOWNLOAD_REDIRECTS: 'true',
      DOWNLOAD_CDN_URL: nginx.origin,
    });
    app = await createApp(await createTenant(site));
    bytes = await zipOf({ 'index.html': randomBytes(5000) });
    zip = await createBundle(app, { artifactType: 'zip', channelName: 'Default' });
    const { body } = await postFile(zip, bytes, { mimeType: 'application/zip' });
    const published = await publish(zip, { appBundleFileId: (body as { id: string }).id });
    expect(published.status).toBe(200);
  });
  afterAll(async () => {
    await site.dispose();
    await nginx.stop();
    await store.stop();
  });

  const redirect = async (path: string, headers: Record<string, string>): Promise<URL> => {
    const response = await rawGet(site.origin, path, headers);
    expect(response.status).toBe(302);
    return new URL(response.headers.location ?? '');
  };
  const read = (url: URL, headers: Record<string, string> = {}) =>
    rawGet(url.origin, url.pathname + url.search, headers);

  it('serves devices, and asks the store once', async () => {
    const unsigned = await redirect(`${zip.path}/download`, DEVICE);
    unsigned.search = '';
    expect([400, 403]).toContain((await read(unsigned)).status);
    const before = store.seen.length;
    for (const device of [AndroidDevice, IosDevice, AndroidDevice]) {
      const { redirectedTo } = await new device({
        appId: app.id,
        origin: site.origin,
        channelName: 'Default',
      }).sync();
      expect(redirectedTo).toEqual([new URL(nginx.origin).host]);
    }
    expect(store.seen.length - before).toBe(1);
  });

  it('cuts ranges from what it keeps, and sends the headers of Slipway', async () => {
    const url = await redirect(`${zip.path}/download`, DEVICE);
    const { status, headers, body } = await read(url, { Range: 'bytes=10-19' });
    expect({ status, range: headers['content-range'], cache: headers['x-cache'] }).toEqual({
      status: 206,
      range: `bytes 10-19/${bytes.length}`,
      cache: 'HIT',
    });
    expect(body.equals(bytes.subarray(10, 20))).toBe(true);
    const whole = await read(url);
    expect(whole.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/zip',
      'content-disposition': 'attachment',
    });
    expect((await read(url, { 'If-None-Match': whole.headers.etag ?? '' })).status).toBe(304);
  });

  it('is not used for artifacts, and keeps none that is requested through it', async () => {
    const bundle = await createBundle(app, { artifactType: 'zip' });
    const content = await zipOf({ 'index.html': randomBytes(500) });
    const { body } = await postFile(bundle, content, { mimeType: 'application/zip' });
    await publish(bundle, { appBundleFileId: (body as { id: string }).id });
    const path = `${app.path}/builds/${bundle.buildId}/artifacts/${bundle.id}/download`;
    const url = await redirect(path, { Authorization: `Bearer ${app.api.token ?? ''}` });
    expect(url.origin).toBe(store.url);
    for (let time = 0; time < 2; time++) {
      const through = await read(new URL(url.pathname + url.search, nginx.origin));
      expect({ status: through.status, cache: through.headers['x-cache'] }).toEqual({
        status: 200,
        cache: 'MISS',
      });
    }
  });

  it('passes nothing but reads', async () => {
    const url = await redirect(`${zip.path}/download`, DEVICE);
    for (const method of ['PUT', 'DELETE', 'POST']) {
      const before = store.seen.length;
      expect((await fetch(url, { method })).status).toBe(403);
      expect(store.seen.length).toBe(before);
    }
  });
});
