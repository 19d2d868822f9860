import { generateKeyPairSync, hash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { createApp, type TestApp } from '../builders/app.js';
import { type Published, publishManifest, publishZip } from '../builders/publication.js';
import { AndroidDevice, encodeAndroid } from '../support/devices/android.js';
import { encodeIos, IosDevice } from '../support/devices/ios.js';
import { rawGet, type RawResponse } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { MANIFEST } from '../support/live-updates/uploads.js';

const FILES = {
  'index.html': '<h1>Shop</h1>',
  'a b.js': 'space',
  'a+b.js': 'plus',
  'only space.js': 'only space',
  'only+plus.js': 'only plus',
  '%2e%2e/secret.txt': 'a folder whose name looks encoded',
  'assets/empty.txt': '',
  'assets/früh.css': 'umlaut',
};

/** A generated zip waits until all files of its bundle are compressed, behind those of other bundles, in milliseconds. */
const MADE_WITHIN = 240_000;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let app: TestApp;
let manifest: Published;
let zip: Published;
let signed: Published;

beforeAll(async () => {
  app = await createApp();
  manifest = await publishManifest(app, FILES);
  zip = await publishZip(app, FILES);
  signed = await publishManifest(app, FILES, { privateKey });
});

function download(
  { id: bundleId }: Published,
  query = '',
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  return rawGet(app.api.origin, `${app.path}/bundles/${bundleId}/download${query}`, headers);
}

const quoted = (bytes: Buffer): string => `"${hash('sha256', bytes, 'hex')}"`;

/** The head of an answer, byte by byte. */
function headOf(target: string): Promise<string> {
  const { hostname, port } = new URL(app.api.origin);
  return new Promise((resolve, reject) => {
    let head = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`),
    );
    socket.setEncoding('latin1').on('error', reject);
    socket
      .on('data', (chunk: string) => (head += chunk))
      .on('end', () => resolve(head.split('\r\n\r\n', 1)[0] ?? ''));
  });
}

it.each<[string, (path: string) => string, readonly string[]]>([
  ['a zip', (path) => `${path}/bundles/${zip.id}/download`, ['x-checksum']],
  [
    'a manifest',
    (path) => `${path}/bundles/${signed.id}/download?href=${MANIFEST}`,
    ['x-checksum', 'x-signature'],
  ],
  [
    'a signed file',
    (path) => `${path}/bundles/${signed.id}/download?href=index.html`,
    ['x-checksum', 'x-signature'],
  ],
  [
    'a named manifest',
    (path) => `${path}/bundles/${manifest.id}/download/named?href=${MANIFEST}`,
    ['x-checksum'],
  ],
  ['a delta', (path) => `${path}/bundles/${manifest.id}/delta?from=${signed.id}`, ['x-checksum']],
  ['a generated zip', (path) => `${path}/bundles/${manifest.id}/download/zip`, ['x-checksum']],
  ['an error', (path) => `${path}/bundles/${randomUUID()}/download`, ['x-checksum']],
])(
  '%s has the names of integrity headers in lower case, as iOS up to 7.2.2 reads them',
  async (_what, target, names) => {
    await eventually(async () => {
      const head = await headOf(target(app.path));
      expect(head.match(/^x-(checksum|signature)(?=: )/gim)).toEqual(names);
      if (_what !== 'an error') expect(head).toMatch(/^HTTP\/1\.1 200 /);
    }, MADE_WITHIN);
  },
);

describe('an answer with bytes', () => {
  it.each([
    ['a zip', () => download(zip)],
    ['the manifest', () => download(manifest, `?href=${MANIFEST}`)],
    ['a file', () => download(manifest, '?href=index.html')],
    ['an empty file', () => download(manifest, '?href=assets/empty.txt')],
  ])('to %s has length, checksum and ETag, and may be kept forever', async (_what, get) => {
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-length': String(body.length),
      'x-checksum': hash('sha256', body, 'hex'),
      etag: quoted(body),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('x-signature');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('has a signature for every file of a signed bundle', async () => {
    for (const href of [MANIFEST, 'index.html', 'assets/empty.txt']) {
      const { headers } = await download(signed, `?href=${href}`);
      expect(headers['x-signature']).toMatch(/^[A-Za-z0-9+/]{342}==$/);
    }
  });

  it('is not repeated to a client that has the bytes', async () => {
    const known = quoted(Buffer.from(FILES['index.html']));
    for (const condition of [known, `W/${known}`, `"other", ${known}`, '*']) {
      const { status, headers, body } = await download(manifest, '?href=index.html', {
        'If-None-Match': condition,
      });
      expect({ status, etag: headers.etag, body: body.length }).toEqual({
        status: 304,
        etag: known,
        body: 0,
      });
    }
    const other = await download(manifest, '?href=index.html', { 'If-None-Match': '"other"' });
    expect(other.status).toBe(200);
  });

  it('is the whole file even to a request for a part of it', async () => {
    const { status, body } = await download(manifest, '?href=index.html', { Range: 'bytes=0-3' });
    expect({ status, body: body.toString() }).toEqual({ status: 200, body: FILES['index.html'] });
  });

  it('needs no token, and no header at all', async () => {
    const { status } = await download(zip);
    expect(status).toBe(200);
  });
});

describe('the path of a file', () => {
  // What iOS asks for as `a+b.js` has two meanings in this bundle.
  const hrefs = Object.keys(FILES).filter((href) => href !== 'a+b.js');

  it.each(hrefs)('%j is found as Android and as iOS write it', async (href) => {
    for (const encoded of [encodeAndroid(href), encodeIos(href), encodeURIComponent(href)]) {
      const { status, body } = await download(manifest, `?href=${encoded}`);
      expect({ encoded, status, body: body.toString() }).toEqual({
        encoded,
        status: 200,
        body: FILES[href as keyof typeof FILES],
      });
    }
  });

  it('with a plus sign is read as a space first, and as itself when there is no such file', async () => {
    const contents = await Promise.all(
      ['a+b.js', 'only+space.js', 'only+plus.js', 'a%2Bb.js', 'a%20b.js'].map((href) =>
        download(manifest, `?href=${href}`),
      ),
    );
    expect(contents.map(({ body }) => body.toString())).toEqual([
      'space',
      'only space',
      'only plus',
      'plus',
      'space',
    ]);
  });

  it('may come among other parameters', async () => {
    const { body } = await download(manifest, '?a=1&href=index.html&href2=x');
    expect(body.toString()).toBe(FILES['index.html']);
  });

  it.each([
    '../index.html',
    '..',
    '.',
    './index.html',
    'assets/../index.html',
    'assets/../../../../../../etc/passwd',
    '/index.html',
    '//index.html',
    '/etc/passwd',
    'file:///etc/passwd',
    '..%2findex.html',
    '%2e%2e%2findex.html',
    '%2E%2E/index.html',
    '%252e%252e%252findex.html',
    '..%252findex.html',
    '%25252e%25252e/index.html',
    '..%5cindex.html',
    '..\\index.html',
    'assets\\empty.txt',
    'assets%5Cempty.txt',
    'C:%5CWindows%5Cwin.ini',
    '..%c0%afindex.html',
    '%c0%ae%c0%ae/index.html',
    '..%ef%bc%8findex.html',
    'index.html%00',
    'index.html%00.png',
    'index.html/',
    'INDEX.HTML',
    'index.html%20',
    'assets',
    'unknown.js',
    '%',
    '%zz',
    '%ff',
  ])('%s leads nowhere', async (href) => {
    const { status, headers, body } = await download(manifest, `?href=${href}`);
    expect([400, 404]).toContain(status);
    expect(headers['x-checksum']).toBe('0'.repeat(64));
    expect(headers).not.toHaveProperty('x-signature');
    expect(headers['cache-control'] ?? '').not.toContain('immutable');
    expect(JSON.parse(body.toString())).toMatchObject({ status, message: expect.any(String) });
  });

  it.each([
    ['Capacitor', { pluginVersion: '8.3.0' }],
    ['Cordova', { runtime: 'cordova', pluginVersion: '0.1.0' }],
  ] as const)(
    'is never installed by an iOS plugin of %s that takes errors for files',
    async (_name, plugin) => {
      const device = new IosDevice({ appId: app.id, ...plugin });
      const url = `${app.api.origin}${app.path}/bundles/${randomUUID()}/download`;
      const unknown = { bundleId: randomUUID(), checksum: null, signature: null, url };
      for (const artifactType of ['zip', 'manifest'] as const) {
        await expect(device.install({ ...unknown, artifactType })).rejects.toThrow('Checksum mismatch.');
      }
      expect(device.bundleId).toBeNull();
    },
  );

  it('of 10,000 characters leads nowhere', async () => {
    const { status } = await download(manifest, `?href=${'a/'.repeat(5000)}b`);
    expect(status).toBe(404);
  });

  it('belongs to bundles in manifest form, and only to them', async () => {
    const answers = await Promise.all([
      download(manifest),
      download(manifest, '?href='),
      download(manifest, '?href'),
      download(zip, '?href=index.html'),
      download(zip, `?href=${MANIFEST}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});

describe('a bundle', () => {
  it('is found only in its own app, and only by its whole id', async () => {
    const other = await createApp();
    const targets = [
      `${other.path}/bundles/${zip.id}/download`,
      `${app.path}/bundles/${zip.buildId}/download`,
      `${app.path}/bundles/${zip.id.slice(0, -1)}/download`,
      `${app.path}/bundles/..%2f${zip.id}/download`,
      `/v1/apps/unknown/bundles/${zip.id}/download`,
    ];
    for (const target of targets) {
      expect((await rawGet(app.api.origin, target)).status).toBe(404);
    }
  });

  it('is not available before it is published', async () => {
    const { body } = await app.api.post(`${app.path}/bundles`, { artifactType: 'manifest' });
    const content = Buffer.from('draft');
    await app.api
      .request('post', `${app.path}/bundles/${body.id}/files`)
      .field('checksum', hash('sha256', content, 'hex'))
      .attach('file', content, { filename: 'index.html' })
      .field({ href: 'index.html', mimeType: 'text/html', name: 'index.html', sizeInBytes: '5' })
      .expect(201);
    const draft = `${app.path}/bundles/${body.id}/download?href=index.html`;
    expect((await rawGet(app.api.origin, draft)).status).toBe(404);
  });

  it('stays available to a device that is in the middle of it when the next one is published', async () => {
    const busy = await createApp();
    await publishManifest(busy, FILES);
    const older = new AndroidDevice({ appId: busy.id });
    const { body } = await older.check();
    const { url, bundleId } = JSON.parse(body.toString()) as { url: string; bundleId: string };
    const newest = await publishManifest(busy, { 'index.html': 'next' });
    for (const [href, content] of Object.entries(FILES)) {
      // A first install is offered the generated zip, as soon as there is one.
      const path = new URL(url).pathname.replace(/\/zip$/, '/named');
      const target = `${path}?href=${encodeAndroid(href)}`;
      expect((await rawGet(busy.api.origin, target)).body.toString()).toBe(content);
    }
    expect(bundleId).not.toBe(newest.id);
    const device = new IosDevice({ appId: busy.id });
    expect(await device.sync()).toMatchObject({ bundleId: newest.id });
  });

  it('is gone when it is deleted', async () => {
    const small = await createApp();
    const { id: bundleId } = await publishZip(small, { 'index.html': '1' });
    expect((await small.api.delete(`${small.path}/bundles/${bundleId}`)).status).toBe(204);
    const device = new AndroidDevice({ appId: small.id });
    expect(await device.sync()).toMatchObject({ bundleId: null });
    const target = `${small.path}/bundles/${bundleId}/download`;
    expect((await rawGet(small.api.origin, target)).status).toBe(404);
  });
});
