import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { AndroidDevice } from '../support/devices/android.js';
import type { DeviceSettings } from '../support/devices/device.js';
import { ElectronDevice } from '../support/devices/electron.js';
import { IosDevice } from '../support/devices/ios.js';
import { rawGet, type RawResponse } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { zipOf } from '../support/live-updates/archives.js';
import { postFile, publish, uploadFiles } from '../support/live-updates/uploads.js';
import { Cli } from '../support/processes/cli.js';
import { openTestBucket } from '../support/s3/test-bucket.js';
import { StoreProxy } from '../support/s3/store-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
const DEVICE = { 'X-Capawesome-Device-Id': randomUUID() };
const FILES = { 'index.html': randomBytes(3000), 'app.js': randomBytes(3000) };

/** Slipway and the devices reach the store under different addresses. */
let store: StoreProxy;
let publicStore: StoreProxy;
let site: OwnSite;
let app: TestApp;
let bytes: Buffer;
let zip: TestBundle;

beforeAll(async () => {
  const endpoint = process.env['S3_ENDPOINT'] ?? '';
  [store, publicStore] = await Promise.all([StoreProxy.start(endpoint), StoreProxy.start(endpoint)]);
  site = await OwnSite.start({
    S3_ENDPOINT: store.url,
    S3_PUBLIC_ENDPOINT: publicStore.url,
    DOWNLOAD_REDIRECTS: 'true',
  });
  app = await createApp(await createTenant(site));
  bytes = await zipOf(FILES);
  zip = await publishZip(app, bytes);
});
beforeEach(() => store.heal());
afterAll(async () => {
  await site.dispose();
  await Promise.all([store.stop(), publicStore.stop()]);
});

/** Publishes a signed zip to the default channel. */
async function publishZip(to: TestApp, content: Buffer): Promise<TestBundle> {
  const bundle = await createBundle(to, { artifactType: 'zip', channelName: 'Default' });
  const signature = sign('sha256', content, privateKey).toString('base64');
  const { body } = await postFile(bundle, content, { mimeType: 'application/zip', signature });
  const published = await publish(bundle, { appBundleFileId: (body as { id: string }).id });
  expect(published.status).toBe(200);
  return bundle;
}

const get = (path: string, headers: Record<string, string> = DEVICE): Promise<RawResponse> =>
  rawGet(site.origin, path, headers);
const download = (headers?: Record<string, string>): Promise<RawResponse> =>
  get(`${zip.path}/download`, headers);

/** Reads what a redirect leads to. */
async function follow({ headers }: RawResponse, more: Record<string, string> = {}): Promise<RawResponse> {
  const { origin, href } = new URL(headers.location ?? '');
  return rawGet(origin, href.slice(origin.length), more);
}

describe('a device', () => {
  const newest = { channelName: 'Default' };

  it.each<[string, new (settings: DeviceSettings) => AndroidDevice | IosDevice, Partial<DeviceSettings>]>([
    ['Capacitor 8.4.3 on Android', AndroidDevice, { pluginVersion: '8.4.3' }],
    ['Capacitor 8.2.0 on Android', AndroidDevice, { pluginVersion: '8.2.0' }],
    ['Cordova on Android', AndroidDevice, { pluginVersion: '0.1.0', runtime: 'cordova' }],
    ['Capacitor 8.4.3 on iOS', IosDevice, { pluginVersion: '8.4.3' }],
    ['Capacitor 8.2.0 on iOS', IosDevice, { pluginVersion: '8.2.0' }],
    ['Cordova on iOS', IosDevice, { pluginVersion: '0.1.0', runtime: 'cordova' }],
  ])('with %s reads and verifies a zip from the store', async (_name, Platform, plugin) => {
    for (const key of [{}, { publicKey }]) {
      const device = new Platform({ appId: app.id, origin: site.origin, ...newest, ...plugin, ...key });
      const { redirectedTo } = await device.sync();
      expect(redirectedTo).toEqual([new URL(publicStore.url).host]);
      expect(device.files).toEqual(new Map(Object.entries(FILES)));
    }
  });

  it.each<[string, () => AndroidDevice | IosDevice | ElectronDevice]>([
    ['Capacitor 8.1.0 on Android', () => new AndroidDevice(settings({ pluginVersion: '8.1.0' }))],
    ['Capacitor 7.0.0 on Android', () => new AndroidDevice(settings({ pluginVersion: '7.0.0' }))],
    ['Capacitor 7.0.0 on iOS', () => new IosDevice(settings({ pluginVersion: '7.0.0' }))],
    ['Electron', () => new ElectronDevice(settings({}))],
  ])('with %s, which does not say what it is, gets the bytes of Slipway', async (_name, create) => {
    const device = create();
    expect((await device.sync()).redirectedTo).toEqual([]);
    expect(device.files).toEqual(new Map(Object.entries(FILES)));
  });
  const settings = (plugin: Partial<DeviceSettings>): DeviceSettings => ({
    appId: app.id,
    origin: site.origin,
    ...newest,
    ...plugin,
    publicKey,
  });

  it('never installs what the store sends instead of the file', async () => {
    publicStore.failAll({ kind: 'error', status: 403, code: 'AccessDenied' });
    try {
      for (const plugin of [
        { pluginVersion: '8.2.0' },
        { pluginVersion: '0.1.0', runtime: 'cordova' as const },
      ]) {
        const device = new IosDevice({ appId: app.id, origin: site.origin, ...newest, ...plugin });
        await expect(device.sync()).rejects.toThrow('Checksum mismatch.');
      }
      const android = new AndroidDevice({ appId: app.id, origin: site.origin, ...newest });
      await expect(android.sync()).rejects.toThrow('failed with 403');
    } finally {
      publicStore.heal();
    }
  });

  it('gets the files of a manifest from Slipway, because the store sends no checksums', async () => {
    const other = await createApp(app.tenant);
    const bundle = await createBundle(other, { channelName: 'Default' });
    await uploadFiles(bundle, { 'index.html': '<html>', 'app.js': 'app' });
    expect((await publish(bundle)).status).toBe(200);
    for (const Platform of [AndroidDevice, IosDevice]) {
      const device = new Platform({ appId: other.id, origin: site.origin, channelName: 'Default' });
      const { downloads, redirectedTo } = await device.sync();
      expect({ files: downloads.length, redirectedTo }).toEqual({ files: 3, redirectedTo: [] });
    }
  });
});

it('leads new devices to the zip that was generated of a manifest bundle', async () => {
  const other = await createApp(app.tenant);
  const bundle = await createBundle(other, { channelName: 'Default' });
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      n === 0 ? 'index.html' : `assets/${n}.js`,
      `export const n = ${n};`,
    ]),
  );
  await uploadFiles(bundle, files);
  expect((await publish(bundle)).status).toBe(200);
  const device = new AndroidDevice({ appId: other.id, origin: site.origin, channelName: 'Default' });
  await eventually(async () => {
    const { body } = await device.check();
    expect(JSON.parse(body.toString())).toMatchObject({ artifactType: 'zip' });
  });
  expect(await device.sync()).toMatchObject({
    downloads: [null],
    redirectedTo: [new URL(publicStore.url).host],
  });
  expect(device.files.get('assets/7.js')?.toString()).toBe('export const n = 7;');
});

describe('a redirect', () => {
  it('is for one client and a short time, and has no headers of the file but checksum and signature', async () => {
    const response = await download();
    expect(response.status).toBe(302);
    expect(response.body.length).toBe(0);
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-checksum': sha256(bytes),
      'x-signature': expect.any(String) as string,
    });
    for (const name of ['etag', 'content-disposition', 'content-encoding', 'content-type']) {
      expect(response.headers).not.toHaveProperty(name);
    }
    const location = new URL(response.headers.location ?? '');
    expect(location.origin).toBe(publicStore.url);
    expect(location.searchParams.get('X-Amz-Expires')).toBe('900');
  });

  it('leads to the bytes, whole or a range of them, with the headers of Slipway', async () => {
    const redirect = await download({ ...DEVICE, Range: 'bytes=10-19' });
    expect(redirect.status).toBe(302);
    const whole = await follow(redirect);
    expect(whole.status).toBe(200);
    expect(whole.body.equals(bytes)).toBe(true);
    expect(whole.headers).toMatchObject({
      'content-length': String(bytes.length),
      'content-type': 'application/zip',
      'content-disposition': 'attachment',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const part = await follow(redirect, { Range: 'bytes=10-19' });
    expect({ status: part.status, range: part.headers['content-range'] }).toEqual({
      status: 206,
      range: `bytes 10-19/${bytes.length}`,
    });
    expect(part.body.equals(bytes.subarray(10, 20))).toBe(true);
    const known = await follow(redirect, { 'If-None-Match': whole.headers.etag ?? '' });
    expect(known.status).toBe(304);
  });

  it('is not needed by a client that has the bytes, or wants the headers only', async () => {
    const known = await download({ ...DEVICE, 'If-None-Match': `"${sha256(bytes)}"` });
    expect(known.status).toBe(304);
    const head = await fetch(`${site.origin}${zip.path}/download`, {
      method: 'HEAD',
      headers: DEVICE,
      redirect: 'manual',
    });
    expect({ status: head.status, length: head.headers.get('content-length') }).toEqual({
      status: 200,
      length: String(bytes.length),
    });
  });

  it('is only for what may be downloaded', async () => {
    const other = await createApp(app.tenant);
    const pending = await createBundle(app, { artifactType: 'zip' });
    await postFile(pending, bytes, { mimeType: 'application/zip' });
    for (const path of [
      `${other.path}/bundles/${zip.id}`,
      pending.path,
      `${app.path}/bundles/${randomUUID()}`,
    ]) {
      const { status, headers } = await get(`${path}/download`);
      expect({ status, location: headers.location }).toEqual({ status: 404, location: undefined });
    }
  });

  it('has an object read again that has changed since an earlier redirect', async () => {
    const content = await zipOf({ 'index.html': randomBytes(100) });
    const other = await publishZip(await createApp(app.tenant), content);
    const download = () => get(`${other.path}/download`);
    const find = async () => {
      const [blob] = await site.query<{ id: string; damage: string | null; isVerified: boolean }>(
        'SELECT id, damage, verified_at > created_at AS "isVerified" FROM blobs WHERE sha256 = $1',
        [sha256(content)],
      );
      return blob!;
    };
    expect((await download()).status).toBe(302);
    await eventually(async () => expect((await find()).isVerified).toBe(true));
    const { id } = await find();
    const { client, config, dispose } = await openTestBucket();
    const Key = `${prefix()}/blobs/${id.slice(-2)}/${id}`;
    const Body = Buffer.from(content);
    Body[Body.length - 1]! ^= 1;
    await client.send(new PutObjectCommand({ Bucket: config.bucket ?? '', Key, Body }));
    expect((await download()).status).toBe(302);
    await eventually(async () => expect((await find()).damage).toBe('checksum'));
    expect((await download()).status).toBe(500);
    await dispose();
  });

  it('is not for what is damaged, missing or shorter in the store', async () => {
    const content = await zipOf({ 'index.html': randomBytes(100) });
    const other = await publishZip(await createApp(app.tenant), content);
    const where = 'WHERE sha256 = $1';
    const [blob] = await site.query<{ id: string }>(`SELECT id FROM blobs ${where}`, [sha256(content)]);
    await site.query(`UPDATE blobs SET damaged_at = now(), damage = 'checksum' ${where}`, [sha256(content)]);
    const damaged = await get(`${other.path}/download`);
    expect({ status: damaged.status >= 400, location: damaged.headers.location }).toEqual({
      status: true,
      location: undefined,
    });
    await site.query(`UPDATE blobs SET damaged_at = NULL, damage = NULL ${where}`, [sha256(content)]);
    expect((await get(`${other.path}/download`)).status).toBe(302);
    const { client, config, dispose } = await openTestBucket();
    await client.send(
      new DeleteObjectCommand({
        Bucket: config.bucket ?? '',
        Key: `${prefix()}/blobs/${blob!.id.slice(-2)}/${blob!.id}`,
      }),
    );
    const missing = await get(`${other.path}/download`);
    expect(missing.status).toBeGreaterThanOrEqual(400);
    expect(missing.headers.location).toBeUndefined();
    await dispose();
  });

  it('is refused with 503 while the store is away', async () => {
    store.failAll({ kind: 'error', status: 503, code: 'ServiceUnavailable' });
    const { status, headers, body } = await download();
    expect({ status, location: headers.location }).toEqual({ status: 503, location: undefined });
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'storage_unavailable' });
  });

  it('counts as a download, unless a part is requested', async () => {
    const other = await publishZip(
      await createApp(app.tenant),
      await zipOf({ 'index.html': randomBytes(200) }),
    );
    for (const headers of [DEVICE, DEVICE, { ...DEVICE, Range: 'bytes=0-1' }]) {
      expect((await get(`${other.path}/download`, headers)).status).toBe(302);
    }
    await eventually(async () => {
      const counts = await site.query('SELECT downloads, bytes FROM download_counts WHERE artifact_id = $1', [
        other.id,
      ]);
      expect(counts).toMatchObject([{ downloads: '2' }]);
    });
  });
});

const prefix = (): string => site.dataDir.slice(site.dataDir.lastIndexOf('/') + 1);

describe('an address of the store', () => {
  it('opens its object only, and not when it was changed', async () => {
    const address = new URL((await download()).headers.location ?? '');
    const others = [
      address.href.replace(/(blobs%2F|blobs\/)[0-9a-f]{2}(%2F|\/)[0-9a-f-]+/, `$100$2${randomUUID()}`),
      address.href.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'),
      address.href.replace(/response-content-type=[^&]+/, 'response-content-type=text%2Fhtml'),
      address.href.replace(
        /X-Amz-Signature=./,
        (start) => start.slice(0, -1) + (start.endsWith('0') ? '1' : '0'),
      ),
      address.origin + address.pathname,
    ];
    for (const other of others) {
      expect(other).not.toBe(address.href);
      const response = await fetch(other);
      expect({ other, isRefused: [400, 403].includes(response.status) }).toEqual({ other, isRefused: true });
    }
    expect((await fetch(address, { method: 'PUT', body: 'x' })).status).toBe(403);
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(address)).status).toBe(200);
  });

  it('expires', async () => {
    const bucket = await openTestBucket();
    await bucket.storage.put('blobs/aa/short', Readable.from([bytes]));
    const object = await bucket.storage.presign('blobs/aa/short', {
      sizeInBytes: bytes.length,
      contentType: 'application/zip',
      contentDisposition: 'attachment',
      cacheControl: 'private',
      isPublic: true,
      expiresIn: 2,
    });
    expect((await fetch(object?.address ?? '')).status).toBe(200);
    await sleep(3000);
    expect((await fetch(object?.address ?? '')).status).toBe(403);
    await bucket.dispose();
  });

  it('is in no log', () => {
    const log = site.server.log.join('\n');
    expect(log).toContain('/download');
    expect(log).not.toMatch(/X-Amz|Signature=|Credential/i);
  });
});

describe('an artifact', () => {
  const artifact = (): string => `${app.path}/builds/${zip.buildId}/artifacts/${zip.id}`;
  const authorized = (): Record<string, string> => ({ Authorization: `Bearer ${app.api.token ?? ''}` });

  it.each([
    ['app.zip', 'attachment; filename=app.zip'],
    ['日本.zip', `attachment; filename="??.zip"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.zip`],
    ['a\r\nX-Evil: 1', `attachment; filename="a??X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`],
    ['a&X-Amz-Expires=9999&response-content-type=text/html', undefined],
  ])('is read from the store with the file name %j', async (fileName, disposition) => {
    const redirect = await get(
      `${artifact()}/download?${new URLSearchParams({ fileName }).toString()}`,
      authorized(),
    );
    expect(redirect.status).toBe(302);
    expect(redirect.headers).not.toHaveProperty('x-evil');
    const { status, headers, body } = await follow(redirect);
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'private, no-cache',
    });
    expect(headers).not.toHaveProperty('x-evil');
    if (disposition !== undefined) expect(headers['content-disposition']).toBe(disposition);
  });

  it('needs a token or a signed URL before it leads anywhere', async () => {
    for (const [path, headers, status] of [
      [`${artifact()}/download`, {}, 401],
      [`${artifact()}/download?expiresAt=9999999999999&signature=00`, {}, 401],
    ] as const) {
      const response = await get(path, headers);
      expect({ status: response.status, location: response.headers.location }).toEqual({
        status,
        location: undefined,
      });
    }
    const stranger = await createTenant(site);
    const response = await get(`${artifact()}/download`, { Authorization: `Bearer ${stranger.owner.token}` });
    expect({ status: response.status, location: response.headers.location }).toEqual({
      status: 404,
      location: undefined,
    });
    const { body } = await app.api.get(`${artifact()}/signed-download-url`);
    const signed = new URL((body as { url: string }).url);
    expect((await get(signed.pathname + signed.search, {})).status).toBe(302);
  });

  it('is sent by Slipway when a client would send its token along', async () => {
    const { port } = new URL(publicStore.url);
    const response = await get(`${artifact()}/download`, { ...authorized(), Host: `127.0.0.1:${port}` });
    expect(response.status).toBe(200);
    expect(response.body.equals(bytes)).toBe(true);
  });

  it('is downloaded by the official command-line tool, whose token the store does not get', async () => {
    const facade = await startFacade();
    const before = publicStore.seen.length;
    try {
      const cli = await Cli.create(app.tenant.owner.token, facade.origin);
      const ids = ['--app-id', app.id, '--build-id', zip.buildId];
      const { exitCode, stdout, stderr } = await cli.run('apps:builds:download', ...ids, '--apk', 'app.apk');
      expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
      expect((await readFile(join(cli.folder, 'app.apk'))).equals(bytes)).toBe(true);
    } finally {
      facade.close();
    }
    expect(publicStore.seen.slice(before).map(({ method }) => method)).toEqual(['GET']);
    expect(publicStore.seenHeaders.at(-1)).not.toHaveProperty('authorization');
  });

  /** Slipway, with one build that has succeeded and whose artifact is an APK: the tool downloads no others. */
  async function startFacade(): Promise<{ origin: string; close: () => void }> {
    const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
      if ((incoming.url ?? '').startsWith(`${app.path}/builds/${zip.buildId}?`)) {
        const job = { id: randomUUID(), status: 'succeeded' };
        const artifacts = [{ id: zip.id, type: 'apk', status: 'ready' }];
        response.setHeader('Content-Type', 'application/json');
        response.end(
          JSON.stringify({ id: zip.buildId, platform: 'android', job, appBuildArtifacts: artifacts }),
        );
        return;
      }
      const { headers, method, url } = incoming;
      const outgoing = httpRequest(site.origin + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(outgoing);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      origin: `http://127.0.0.1:${port}`,
      close: () => server.closeAllConnections() ?? server.close(),
    };
  }
});

it('sends through Slipway what the store does not have yet, during a move', async () => {
  const moving = await OwnSite.start({ STORAGE: 'disk' });
  const moved = await createApp(await createTenant(moving));
  const content = await zipOf({ 'index.html': randomBytes(100) });
  const old = await publishZip(moved, content);
  await moving.restart({ STORAGE: 's3', STORAGE_FALLBACK: 'disk', DOWNLOAD_REDIRECTS: 'true' });
  const streamed = await rawGet(moving.origin, `${old.path}/download`, DEVICE);
  expect(streamed.status).toBe(200);
  expect(streamed.body.equals(content)).toBe(true);
  await moving.clear();
  await moving.dispose();
});
