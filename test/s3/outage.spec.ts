import { zipOf } from '../support/live-updates/archives.js';
import { randomBytes } from 'node:crypto';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { cleanStorage, expectCleanable, expectIntegrity } from '../support/live-updates/integrity.js';
import {
  announce,
  beginUpload,
  completeUpload,
  download,
  postFile,
  publish,
  putPart,
  uploadFiles,
} from '../support/live-updates/uploads.js';
import { runProgram } from '../support/processes/programs.js';
import { type Fault, type SeenRequest, StoreProxy } from '../support/s3/store-proxy.js';
import { freePort } from '../setup/free-port.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

const DOWN: Fault = { kind: 'error', status: 503, code: 'ServiceUnavailable' };
const FILES = { 'index.html': '<html>', 'app.js': 'app' };

let proxy: StoreProxy;
let site: OwnSite;
let app: TestApp;
let bundle: TestBundle;
let metricsPort: number;

beforeAll(async () => {
  proxy = await StoreProxy.start(process.env['S3_ENDPOINT'] ?? '');
  metricsPort = await freePort();
  // The files here are none that the server compresses: it would use the store at any time.
  site = await OwnSite.start({ S3_ENDPOINT: proxy.url, METRICS_PORT: String(metricsPort) });
  app = await createApp(await createTenant(site));
  bundle = await createBundle(app, { channelName: 'Default' });
  await uploadFiles(bundle, FILES);
  expect((await publish(bundle)).status).toBe(200);
});
beforeEach(() => proxy.heal());
afterAll(async () => {
  await site.dispose();
  await proxy.stop();
});

const failures = async (reason: string) =>
  (await ScrapedMetrics.of(metricsPort)).value('slipway_storage_failures_total', { reason }) ?? 0;
const readiness = async (query = '') => (await fetch(`${site.origin}/health/ready${query}`)).status;

it.each<[string, Fault, number, string, string]>([
  ['responds with 503', DOWN, 503, 'storage_unavailable', 'unavailable'],
  [
    'responds with 429',
    { kind: 'error', status: 429, code: 'TooManyRequests' },
    503,
    'storage_unavailable',
    'unavailable',
  ],
  ['cuts connections', { kind: 'cut' }, 503, 'storage_unavailable', 'unavailable'],
  ['corrupts what is sent', { kind: 'corrupt' }, 503, 'storage_unavailable', 'unavailable'],
  [
    'is full',
    { kind: 'error', status: 507, code: 'InsufficientStorage' },
    507,
    'insufficient_storage',
    'full',
  ],
])('refuses uploads while the store %s, and takes them again', async (_case, fault, status, code, reason) => {
  const other = await createBundle(app);
  const content = randomBytes(100_000);
  const before = await failures(reason);
  proxy.failAll(fault, ['PUT', 'POST']);
  const failed = await postFile(other, content, { href: 'index.html' });
  expect(failed.status).toBe(status);
  expect(failed.body).toMatchObject({ code });
  expect('retry-after' in failed.headers).toBe(status === 503);
  expect(failed.text).not.toContain('S3_');
  expect(await failures(reason)).toBeGreaterThan(before);
  proxy.heal();
  expect((await postFile(other, content, { href: 'index.html' })).status).toBe(201);
  await expectIntegrity(site);
});

it('answers update checks while the store is away, and is not ready for writes', async () => {
  proxy.failAll(DOWN);
  const query = 'deviceId=00000000-0000-4000-8000-000000000001&platform=1&channelName=Default';
  const check = await fetch(
    `${site.origin}/v1/apps/${app.id}/bundles/latest?${query}&appVersionCode=1&appVersionName=1.0.0&osVersion=17&pluginVersion=7.0.0`,
  );
  expect(check.status).toBe(200);
  expect(await check.json()).toMatchObject({ bundleId: bundle.id });
  expect(await readiness()).toBe(200);
  await eventually(async () => expect(await readiness('?for=writes')).toBe(503));
  const failed = await download(bundle, 'app.js');
  expect(failed.status).toBe(503);
  expect(JSON.parse((failed.body as Buffer).toString())).toMatchObject({ code: 'storage_unavailable' });
  proxy.heal();
  expect(((await download(bundle, 'app.js')).body as Buffer).toString()).toBe('app');
  await eventually(async () => expect(await readiness('?for=writes')).toBe(200));
});

it('does not publish what it cannot read, and publishes it later', async () => {
  const other = await createBundle(app);
  await uploadFiles(other, { 'index.html': randomBytes(1000) });
  proxy.failAll(DOWN);
  const failed = await publish(other);
  expect(failed.status).toBe(503);
  expect(failed.body).toMatchObject({ code: 'storage_unavailable' });
  proxy.heal();
  expect((await publish(other)).status).toBe(200);
  await expectIntegrity(site);
});

it.each([
  ['a zip', 'zip'],
  ['a manifest', 'manifest'],
])(
  'judges %s by the uploaded bytes, not by a response that was changed on its way',
  async (_name, artifactType) => {
    const files = { 'index.html': randomBytes(1000) };
    const other = await createBundle(app, { artifactType });
    if (artifactType === 'manifest') await uploadFiles(other, files);
    else await postFile(other, await zipOf(files), { mimeType: 'application/zip' });
    proxy.failNext(
      1,
      { kind: 'corrupt-response' },
      ({ method, path }) => method === 'GET' && path.includes('/blobs/'),
    );
    expect((await publish(other)).status).toBe(200);
    proxy.heal();
  },
);

it.each([
  ['a zip', 'zip'],
  ['a manifest', 'manifest'],
])('does not blame %s for what the store sends instead of it', async (_name, artifactType) => {
  const files = { 'index.html': randomBytes(1000) };
  const other = await createBundle(app, { artifactType });
  if (artifactType === 'manifest') await uploadFiles(other, files);
  else await postFile(other, await zipOf(files), { mimeType: 'application/zip' });
  const isRead = ({ method, path }: SeenRequest) => method === 'GET' && path.includes('/blobs/');
  // Whole objects are right, parts of them are not; manifests are read as a whole.
  const isWrong = artifactType === 'zip' ? { range: true } : { range: false };
  let reads = 0;
  proxy.fault = (request) => {
    if (!isRead(request)) return null;
    reads++;
    const hasRange = proxy.seenHeaders.at(-1)?.range !== undefined;
    return hasRange === isWrong.range && (isWrong.range || reads !== 2) ? { kind: 'corrupt-response' } : null;
  };
  const refused = await publish(other);
  expect([refused.status, refused.body]).toEqual([
    503,
    expect.objectContaining({
      code: 'storage_unavailable',
      message: 'The file storage returned other bytes than were stored. Try again in a moment.',
    }),
  ]);
  expect(await site.query('SELECT id FROM blobs WHERE damaged_at IS NOT NULL')).toEqual([]);
  proxy.heal();
  expect((await publish(other)).status).toBe(200);
});

it('ends a download whose response is cut, without an error of its own', async () => {
  const other = await createBundle(app);
  const content = randomBytes(2_000_000);
  await uploadFiles(other, { 'index.html': '<html>', 'photo.jpg': content });
  expect((await publish(other)).status).toBe(200);
  proxy.failAll({ kind: 'cut-response' }, ['GET']);
  await expect(download(other, 'photo.jpg')).rejects.toThrow(/aborted|socket hang up/);
  proxy.heal();
  expect(((await download(other, 'photo.jpg')).body as Buffer).equals(content)).toBe(true);
  site.expectAlive();
});

it('completes an upload in parts after the store failed to join them', async () => {
  const other = await createBundle(app);
  const parts = [randomBytes(5 * 1024 * 1024), randomBytes(5 * 1024 * 1024), randomBytes(1000)];
  const content = Buffer.concat(parts);
  const file = await announce(other, content, { href: 'index.html' });
  const uploadId = await beginUpload(other.api, file);
  const etags: { etag: string; partNumber: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const response = await putPart(other.api, file, uploadId, index + 1, part);
    etags.push(response.body as { etag: string; partNumber: number });
  }
  proxy.fault = ({ path }) => (path.includes('partNumber=2') ? DOWN : null);
  expect((await completeUpload(other.api, file, uploadId, etags)).status).toBe(503);
  proxy.heal();
  expect((await completeUpload(other.api, file, uploadId, etags)).status).toBe(200);
  await expectIntegrity(site);
});

it('leaves only what cleaning removes when the store fails to delete', async () => {
  const other = await createBundle(app);
  proxy.fault = ({ method, path }) =>
    method === 'DELETE' || path.includes('partNumber=2') ? { kind: 'cut' } : null;
  const failed = await postFile(other, randomBytes(12 * 1024 * 1024), { href: 'index.html' });
  expect(failed.status).toBe(503);
  expect(await site.incoming()).toHaveLength(1);
  proxy.heal();
  const found = await cleanStorage(site, '--older-than-hours', '0');
  expect(found.join('\n')).toContain('Found 1 abandoned write');
  await expectCleanable(site);
  await expectIntegrity(site);
});

it('marks no file as damaged because of one response that was changed on its way', async () => {
  const content = randomBytes(5000);
  expect((await postFile(await createBundle(app), content, { href: 'a.bin' })).status).toBe(201);
  const [blob] = await site.query<{ id: string }>('SELECT id FROM blobs WHERE sha256 = $1', [
    sha256(content),
  ]);
  const scrub = () => runProgram('storage scrub', site, { env: { S3_ENDPOINT: proxy.url } });
  const isRead = ({ method, path }: SeenRequest) => method === 'GET' && path.includes(blob!.id);
  proxy.failNext(1, { kind: 'corrupt-response' }, isRead);
  expect(await scrub()).toMatchObject({ code: 0 });
  expect(proxy.seen.filter(isRead)).toHaveLength(2);
  proxy.failNext(2, { kind: 'corrupt-response' }, isRead);
  const { out } = await scrub();
  expect(out).toContain(blob!.id);
  proxy.heal();
  expect(await scrub()).toMatchObject({ code: 0 });
});

it('accepts a part although the store cannot delete the one that it replaces', async () => {
  const other = await createBundle(app);
  const file = await announce(other, randomBytes(2000), { href: 'index.html' });
  const uploadId = await beginUpload(other.api, file);
  expect((await putPart(other.api, file, uploadId, 1, randomBytes(1000))).status).toBe(200);
  proxy.failAll({ kind: 'cut' }, ['DELETE']);
  const second = randomBytes(1000);
  const { status, body } = await putPart(other.api, file, uploadId, 1, second);
  expect({ status, body }).toMatchObject({ status: 200, body: { etag: sha256(second) } });
  proxy.heal();
  await expectCleanable(site);
});
