import { randomBytes } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { publishManifest, publishZip } from '../../builders/publication.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { IosDevice } from '../../support/devices/ios.js';
import { rawGet, type RawResponse } from '../../support/devices/raw-get.js';
import { eventually } from '../../support/eventually.js';
import { largeText, variedText } from '../../support/live-updates/large-texts.js';
import { MANIFEST } from '../../support/live-updates/uploads.js';
import { sha256 } from '../../support/sha256.js';

const files = {
  'index.html': '<h1>Shop</h1>',
  'assets/app.js': largeText(50_000),
  'assets/noise.txt': randomBytes(20_000),
  'assets/small.js': largeText(500),
};

let app: TestApp;
let bundleId: string;

const download = (
  href: string,
  headers: Readonly<Record<string, string>> = {},
  of = bundleId,
): Promise<RawResponse> =>
  rawGet(app.api.origin, `${app.path}/bundles/${of}/download?href=${encodeURIComponent(href)}`, headers);
const asBrotli = (href: string, of?: string) => download(href, { 'Accept-Encoding': 'br' }, of);
/** Waits until the worker has made the variants of a file in the best quality. */
const untilBest = (href: string, of?: string): Promise<void> =>
  eventually(async () => {
    const { headers } = await asBrotli(href, of);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': expect.stringContaining('immutable') as string,
    });
  });

beforeAll(async () => {
  app = await createApp();
  bundleId = (await publishManifest(app, files)).id;
  await untilBest('assets/app.js');
});

describe('a text file', () => {
  it('is sent in Brotli to a client that accepts it, and is the same file', async () => {
    const { status, headers, body } = await asBrotli('assets/app.js');
    expect(status).toBe(200);
    expect(body.toString()).toBe(files['assets/app.js']);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-checksum': sha256(Buffer.from(files['assets/app.js'])),
    });
    expect(Number(headers['content-length'])).toBeLessThan(files['assets/app.js'].length / 4);
  });

  it('is sent as it is to a client that does not', async () => {
    const { headers, body } = await download('assets/app.js');
    expect(body.toString()).toBe(files['assets/app.js']);
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': String(body.length) });
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it.each([
    ['br', 'br'],
    ['BR', 'br'],
    ['GZIP', 'gzip'],
    ['br,gzip', 'br'],
    ['gzip, br', 'br'],
    ['br;q=1.0, gzip;q=0.9, deflate;q=0.8', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.001', 'br'],
    ['*', 'br'],
    ['gzip, *;q=0.5', 'br'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['identity;q=0, br', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0.5, br', 'br'],
    ['br;q=0', null],
    ['br;q=0, gzip', 'gzip'],
    ['br, gzip;q=0', 'br'],
    ['gzip;q=0', null],
    ['gzip;q=0.5, identity', null],
    ['br;q=0, *', 'gzip'],
    ['br;q=0.5, identity', null],
    ['gzip', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['identity', null],
    ['deflate', null],
    ['x-gzip', null],
    ['brotli', null],
    ['', null],
    [',;q=', null],
    ['*;q=0', null],
    ['identity;q=0', null],
  ])('is sent to a client that accepts "%s" in %s', async (accepted, encoding) => {
    const { status, headers, body } = await download('assets/app.js', { 'Accept-Encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding ?? undefined);
    expect(body.toString()).toBe(files['assets/app.js']);
  });

  it('has an ETag for each of its forms, and 304 only for the one that would be sent', async () => {
    const plain = (await download('assets/app.js')).headers.etag as string;
    const brotli = (await asBrotli('assets/app.js')).headers.etag as string;
    const gzip = (await download('assets/app.js', { 'Accept-Encoding': 'gzip' })).headers.etag as string;
    expect(new Set([plain, brotli, gzip]).size).toBe(3);
    const get = (etag: string, accepted: string) =>
      download('assets/app.js', { 'If-None-Match': etag, 'Accept-Encoding': accepted });
    const same = [
      await get(brotli, 'br'),
      await get(gzip, 'gzip'),
      await get(plain, 'identity'),
      await get(`${plain}, ${brotli}`, 'br'),
    ];
    for (const { status, headers, body } of same) {
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ vary: 'Accept-Encoding' });
      expect(headers).not.toHaveProperty('content-encoding');
    }
    const other = [
      await get(plain, 'br'),
      await get(gzip, 'br'),
      await get(brotli, 'gzip'),
      await get(gzip, ''),
    ];
    expect(other.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const accepted of ['br', 'gzip', 'identity']) {
      const get = await download('assets/app.js', { 'Accept-Encoding': accepted });
      const head = await app.api
        .request('head', `${app.path}/bundles/${bundleId}/download?href=assets%2Fapp.js`)
        .unset('Authorization')
        .set('Accept-Encoding', accepted);
      expect(head.status).toBe(200);
      expect(head.text ?? '').toBe('');
      for (const name of [
        'content-length',
        'content-encoding',
        'etag',
        'vary',
        'x-checksum',
        'cache-control',
      ]) {
        expect(head.headers[name]).toBe(get.headers[name]);
      }
    }
  });

  it('is sent whole to a client that asks for a range', async () => {
    for (const accepted of ['br', 'gzip', 'identity']) {
      const headers = { Range: 'bytes=10-19', 'Accept-Encoding': accepted };
      const response = await download('assets/app.js', headers);
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('content-range');
      expect(response.body.toString()).toBe(files['assets/app.js']);
    }
  });

  it('brings its Brotli form along into the next bundle', async () => {
    const next = await publishManifest(app, { ...files, 'index.html': 'next' });
    const { headers } = await asBrotli('assets/app.js', next.id);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': expect.stringContaining('immutable') as string,
    });
  });
});

describe('no compressed form', () => {
  it.each(['index.html', 'assets/small.js'])('has %s, which is small', async (href) => {
    const { headers, body } = await asBrotli(href);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('vary');
    expect(headers['content-length']).toBe(String(body.length));
  });

  it('has a text that gets no smaller', async () => {
    await eventually(async () => {
      const { headers, body } = await asBrotli('assets/noise.txt');
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers['cache-control']).toContain('immutable');
      expect(body).toEqual(files['assets/noise.txt']);
    });
  });

  it('has a zip', async () => {
    const zip = await publishZip(app, { 'index.html': largeText(50_000) });
    const target = `${app.path}/bundles/${zip.id}/download`;
    const { headers } = await rawGet(app.api.origin, target, { 'Accept-Encoding': 'br' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).not.toHaveProperty('vary');
  });
});

it('is kept for ever by caches only once it is in its last form', async () => {
  // Large enough that its last form takes seconds, so that the one before is seen.
  const { id: of } = await publishManifest(app, { 'index.html': '1', 'app.js': variedText(2_000_000) });
  const seen = new Set<string>();
  await eventually(async () => {
    const { headers } = await asBrotli('app.js', of);
    seen.add(`${headers['content-encoding'] ?? 'plain'}: ${headers['cache-control']}`);
    expect(headers['cache-control']).toContain('immutable');
  });
  // All of it was compressed before it was published.
  expect([...seen].toSorted()).toEqual(['br: public, max-age=31536000, immutable', 'br: public, max-age=60']);
});

it.each([
  ['Android', AndroidDevice, '8.4.3', 'br'],
  ['Android', AndroidDevice, '8.3.0', 'gzip'],
  ['Android', AndroidDevice, '7.2.1', 'gzip'],
  ['iOS', IosDevice, '8.4.3', 'br'],
] as const)(
  '%s installs what it gets compressed',
  async (_platform, PlatformDevice, pluginVersion, encoding) => {
    const own = await createApp();
    const first = {
      'index.html': largeText(3000),
      'assets/app.js': largeText(80_000),
      'b.css': largeText(2000),
    };
    const { id: of } = await publishManifest(own, first);
    for (const href of Object.keys(first)) {
      const target = `${own.path}/bundles/${of}/download?href=${encodeURIComponent(href)}`;
      const { headers } = await rawGet(own.api.origin, target, { 'Accept-Encoding': encoding });
      expect(headers['content-encoding']).toBe(encoding);
    }
    const device = new PlatformDevice({ appId: own.id, pluginVersion });
    const { downloads } = await device.sync();
    expect(downloads.toSorted()).toEqual([MANIFEST, ...Object.keys(first)].toSorted());
    expect([...device.files].map(([href, content]) => [href, content.toString()])).toEqual(
      expect.arrayContaining(Object.entries(first)),
    );
  },
);
