import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import type { ServerProcess } from '../setup/server.js';
import { rawGet } from '../support/devices/raw-get.js';
import { Api } from '../support/http/api.js';
import {
  announce,
  beginUpload,
  completeUpload,
  manifestOf,
  publish,
  putPart,
  uploadFiles,
} from '../support/live-updates/uploads.js';
import { runProgram } from '../support/processes/programs.js';
import { OwnSite } from '../support/servers/own-site.js';

const MIB = 1024 * 1024;
const ON_DISK = { STORAGE: 'disk', STORAGE_FALLBACK: 's3' };
const ON_S3 = { STORAGE: 's3', STORAGE_FALLBACK: 'disk' };

let site: OwnSite;
let app: TestApp;
/** What was published, by the path of the bundle. */
const published = new Map<string, Readonly<Record<string, Buffer>>>();

beforeAll(async () => {
  site = await OwnSite.start({ STORAGE: 'disk' });
  app = await createApp(await createTenant(site));
});
afterAll(async () => {
  await site.clear();
  await site.dispose();
});

const through = (server: Pick<ServerProcess, 'origin'>): TestApp => ({
  ...app,
  api: new Api(server.origin, app.api.token),
});

async function publishRandom(of: TestApp): Promise<void> {
  const files = { 'index.html': randomBytes(300), 'app.js': randomBytes(50_000), empty: Buffer.alloc(0) };
  const bundle = await createBundle(of);
  await uploadFiles(bundle, files);
  expect((await publish(bundle)).status).toBe(200);
  published.set(bundle.path, files);
}

/** A file that is joined of parts, which disk and object storage do in ways of their own. */
async function publishLarge(of: TestApp): Promise<void> {
  const parts = [randomBytes(6 * MIB), randomBytes(6 * MIB), randomBytes(1000)];
  const whole = Buffer.concat(parts);
  const bundle: TestBundle = await createBundle(of);
  const file = await announce(bundle, whole, { href: 'large.bin', name: 'large.bin' });
  const uploadId = await beginUpload(bundle.api, file);
  const stored: { etag: string; partNumber: number }[] = [];
  for (const [i, part] of parts.entries()) {
    const { body } = await putPart(bundle.api, file, uploadId, i + 1, part);
    stored.push(body as { etag: string; partNumber: number });
  }
  expect((await completeUpload(bundle.api, file, uploadId, stored)).status).toBe(200);
  const small = { 'index.html': 'small' };
  await uploadFiles(bundle, small, manifestOf({ ...small, 'large.bin': whole }));
  expect((await publish(bundle)).status).toBe(200);
  published.set(bundle.path, { 'large.bin': whole });
}

async function expectEverything(origin: string): Promise<void> {
  for (const [path, files] of published) {
    for (const [href, content] of Object.entries(files)) {
      const { status, body } = await rawGet(origin, `${path}/download?href=${href}`);
      expect({ path, href, status }).toEqual({ path, href, status: 200 });
      expect(body.equals(content)).toBe(true);
    }
  }
}

const migrate = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  runProgram('storage migrate', site, { env, args });

it('moves everything to object storage and back, while servers publish and download', async () => {
  for (let i = 0; i < 5; i++) await publishRandom(app);
  await publishLarge(app);
  expect(await migrate(ON_S3, '--dry-run')).toMatchObject({
    code: 0,
    // With the generated zips of the bundles with an empty file, as far as they have been made.
    out: expect.stringMatching(/^From disk to s3: \d+ files \(1[23]\.\d MB\) to copy,\n0 files/),
  });

  await site.restart({ STORAGE_FALLBACK: 's3' });
  const other = await OwnSite.beside(site, ON_S3);
  let isMigrating = true;
  const load = [through(site), through(other)].map(async (of) => {
    while (isMigrating) {
      await publishRandom(of);
      await expectEverything(of.api.origin);
      await sleep(20);
    }
  });
  const first = await migrate(ON_S3);
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^Copied and compared \d+ files/m) });
  isMigrating = false;
  await Promise.all(load);
  await other.stop();

  // What the server on disk has stored since the first run.
  await site.server.stop();
  expect(await migrate(ON_S3)).toMatchObject({ code: 0 });
  expect(await migrate(ON_S3, '--dry-run')).toMatchObject({
    out: expect.stringContaining(': 0 files (0.0 MB)'),
  });
  await rm(join(site.dataDir, 'storage'), { recursive: true });
  await site.restart({ STORAGE: 's3' });
  await expectEverything(site.origin);
  expect(await runProgram('storage scrub', site, { env: { STORAGE: 's3' } })).toMatchObject({
    code: 0,
  });

  await publishLarge(through(site));
  await site.server.stop();
  expect(await migrate(ON_DISK)).toMatchObject({ code: 0 });
  await site.restart({ STORAGE: 'disk' });
  await expectEverything(site.origin);
  expect(await runProgram('storage scrub', site, { env: { STORAGE: 'disk' } })).toMatchObject({ code: 0 });
});

it('needs to know both storages', async () => {
  const { code, err } = await runProgram('storage migrate', site, { env: { STORAGE: 's3' } });
  expect(code).toBe(2);
  expect(err).toContain('STORAGE_FALLBACK is required');
  expect(await migrate({ ...ON_S3, STORAGE_FALLBACK: 's3' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('STORAGE_FALLBACK must differ from STORAGE.'),
  });
});
