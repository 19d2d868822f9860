import { randomBytes } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { publishManifest, publishZip } from '../../builders/publication.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { IosDevice } from '../../support/devices/ios.js';
import { rawGet, type RawResponse } from '../../support/devices/raw-get.js';
import { eventually } from '../../support/eventually.js';
import { largeText } from '../../support/live-updates/large-texts.js';
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
const untilBrotli = (href: string, of?: string): Promise<RawResponse> =>
  eventually(async () => {
    const response = await asBrotli(href, of);
    expect(response.headers['content-encoding']).toBe('br');
    return response;
  });

beforeAll(async () => {
  app = await createApp();
  bundleId = (await publishManifest(app, files)).id;
  await untilBrotli('assets/app.js');
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
    ['br', true],
    ['BR', true],
    ['br,gzip', true],
    ['br;q=1.0, gzip;q=0.9, deflate;q=0.8', true],
    ['gzip, deflate, br, zstd', true],
    ['br;q=0.001', true],
    ['*', true],
    ['gzip, *;q=0.5', true],
    ['identity;q=0, br', true],
    ['identity;q=0.5, br', true],
    ['br;q=0', false],
    ['br;q=0, *', false],
    ['br;q=0.5, identity', false],
    ['gzip', false],
    ['gzip, deflate', false],
    ['identity', false],
    ['brotli', false],
    ['', false],
    [',;q=', false],
    ['*;q=0', false],
    ['identity;q=0', false],
  ])('is asked for by "%s": %s', async (accepted, inBrotli) => {
    const { status, headers, body } = await download('assets/app.js', { 'Accept-Encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(inBrotli ? 'br' : undefined);
    expect(body.toString()).toBe(files['assets/app.js']);
  });

  it('has an ETag for each of its forms, and 304 only for the one that would be sent', async () => {
    const plain = (await download('assets/app.js')).headers.etag as string;
    const brotli = (await asBrotli('assets/app.js')).headers.etag as string;
    expect(brotli).not.toBe(plain);
    const get = (etag: string, accepted: string) =>
      download('assets/app.js', { 'If-None-Match': etag, 'Accept-Encoding': accepted });
    const same = [await get(brotli, 'br'), await get(plain, 'gzip'), await get(`${plain}, ${brotli}`, 'br')];
    for (const { status, headers, body } of same) {
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ vary: 'Accept-Encoding' });
      expect(headers).not.toHaveProperty('content-encoding');
    }
    const other = [await get(plain, 'br'), await get(brotli, 'gzip')];
    expect(other.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const accepted of ['br', 'gzip']) {
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
    for (const accepted of ['br', 'gzip']) {
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

describe('no Brotli form', () => {
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
  const { id: of } = await publishManifest(app, { 'index.html': '1', 'app.js': largeText(400_000) });
  const seen = new Set<string>();
  await eventually(async () => {
    const { headers } = await asBrotli('app.js', of);
    seen.add(`${headers['content-encoding'] ?? 'plain'}: ${headers['cache-control']}`);
    expect(headers['content-encoding']).toBe('br');
  });
  for (const one of seen) {
    expect(['plain: public, max-age=60', 'br: public, max-age=31536000, immutable']).toContain(one);
  }
});

it.each([
  ['Android', AndroidDevice],
  ['iOS', IosDevice],
] as const)('%s verifies what it gets in Brotli', async (_platform, PlatformDevice) => {
  const own = await createApp();
  const first = {
    'index.html': largeText(3000),
    'assets/app.js': largeText(80_000),
    'b.css': largeText(2000),
  };
  const { id: of } = await publishManifest(own, first);
  for (const href of Object.keys(first)) {
    await eventually(async () => {
      const target = `${own.path}/bundles/${of}/download?href=${encodeURIComponent(href)}`;
      const { headers } = await rawGet(own.api.origin, target, { 'Accept-Encoding': 'br' });
      expect(headers['content-encoding']).toBe('br');
    });
  }
  const device = new PlatformDevice({ appId: own.id });
  const { downloads } = await device.sync();
  expect(downloads.toSorted()).toEqual([MANIFEST, ...Object.keys(first)].toSorted());
  expect([...device.files].map(([href, content]) => [href, content.toString()])).toEqual(
    expect.arrayContaining(Object.entries(first)),
  );
});
