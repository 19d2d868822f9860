import { randomBytes, randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { expectError } from '../../support/http/expect-error.js';
import {
  announce,
  beginUpload,
  completeUpload,
  postFile,
  publish,
  putPart,
  uploadFiles,
} from '../../support/live-updates/uploads.js';
import { fileParts, form, send } from '../../support/http/multipart.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import { importBody, importFile } from '../../support/native-builds/imports.js';
import { runProgram } from '../../support/processes/programs.js';
import { OwnSite } from '../../support/servers/own-site.js';

const KB = 1000;

const env = { ORGANIZATION_STORAGE_GIGABYTES: '0.0001' };

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;
beforeAll(async () => {
  site = await OwnSite.start(env);
});
afterAll(() => site.dispose());
beforeEach(async () => {
  tenant = await createTenant(site);
  app = await createApp(tenant);
});
afterEach(() => site.expectTidy());

const path = (of = tenant): string => `/v1/organizations/${of.organizationId}/storage`;
const usage = async (of = tenant): Promise<unknown> => (await of.owner.api.get(path(of))).body;
const post = (bundle: TestBundle, href: string, content: Buffer) =>
  postFile(bundle, content, { href, name: href });
const quota = (...args: string[]) =>
  runProgram('storage quota', site, { env, args: ['--organization', tenant.organizationId, ...args] });

it('counts content that bundles share once, and only that of the organization', async () => {
  expect(await usage()).toEqual({ files: 0, sizeInBytes: 0, quotaInBytes: 100 * KB });
  const shared = randomBytes(20 * KB);
  for (const name of ['first.js', 'second.js']) await post(await createBundle(app), name, shared);
  const other = await createTenant(site);
  await post(await createBundle(await createApp(other)), 'index.js', shared);
  expect(await usage()).toMatchObject({ files: 1, sizeInBytes: 20 * KB });
  expect(await usage(other)).toMatchObject({ files: 1, sizeInBytes: 20 * KB });
});

it('counts imported files, and refuses those that do not fit', async () => {
  const apk = await makeApk({ entries: { 'assets/data': randomBytes(40 * KB) } });
  const { job } = await importFile(app, apk);
  expect(job.status).toBe('succeeded');
  const { sizeInBytes } = (await usage()) as { sizeInBytes: number };
  expect(sizeInBytes).toBeGreaterThanOrEqual(apk.length);
  const large = importBody(randomBytes(70 * KB));
  const refused = await app.api.post(`${app.path}/builds/imports`, large);
  expectError(refused, 403, 'storage_quota_exceeded');
  expect((await app.api.get(`${app.path}/builds`)).body).toHaveLength(1);
});

it('counts compressed variants', async () => {
  const bundle = await createBundle(app);
  await uploadFiles(bundle, { 'index.html': 'text '.repeat(4 * KB) });
  const { sizeInBytes: before } = (await usage()) as { sizeInBytes: number };
  expect((await publish(bundle)).status).toBe(200);
  const { sizeInBytes: after } = (await usage()) as { sizeInBytes: number };
  const [variants] = await site.query<{ sum: string }>(
    `SELECT sum(variant.size_in_bytes) FROM blob_variants AS variant JOIN blobs ON blobs.id = blob_id WHERE organization_id = $1`,
    [tenant.organizationId],
  );
  expect(Number(variants?.sum)).toBeGreaterThan(0);
  expect(after).toBeGreaterThanOrEqual(before + Number(variants?.sum));
});

it('refuses files that do not fit, however they come, and bundles when nothing fits', async () => {
  const bundle = await createBundle(app);
  expect((await post(bundle, 'a.bin', randomBytes(90 * KB))).status).toBe(201);
  expectError(await post(bundle, 'b.bin', randomBytes(11 * KB)), 403, 'storage_quota_exceeded');
  const parts = fileParts(randomBytes(11 * KB), { href: 'b.bin' }).filter(({ name }) => name !== 'file');
  const announced = await send(bundle.api, 'post', `${bundle.path}/files`, form(parts));
  expectError(announced, 403, 'storage_quota_exceeded');
  expect((await post(bundle, 'b.bin', randomBytes(10 * KB))).status).toBe(201);
  const refused = await app.api.post(`${app.path}/bundles`, { artifactType: 'manifest' });
  expectError(refused, 403, 'storage_quota_exceeded');
  expect((refused.body as { message: string }).message).toBe(
    'The organization stores 0.1 MB of the 0.1 MB that it may store: delete bundles, or ask the operator for more.',
  );
  // Its file is elsewhere.
  await registerBundle(app);
});

it('accepts at the limit what is stored already', async () => {
  const content = randomBytes(100 * KB);
  const [first, second] = [await createBundle(app), await createBundle(app)];
  expect((await post(first, 'a.bin', content)).status).toBe(201);
  expect((await post(second, 'b.bin', content)).status).toBe(201);
  expect(await usage()).toMatchObject({ files: 1, sizeInBytes: 100 * KB });
});

it('admits only what fits when files arrive at once', async () => {
  const bundle = await createBundle(app);
  const sent = Array.from({ length: 12 }, (_, i) => post(bundle, `${i}.bin`, randomBytes(20 * KB)));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(5);
  expect(statuses.filter((status) => status === 403)).toHaveLength(7);
  expect(await usage()).toMatchObject({ files: 5, sizeInBytes: 100 * KB });
});

it('counts the parts of unfinished uploads, and not twice when they are joined', async () => {
  const content = randomBytes(60 * KB);
  const bundle = await createBundle(app);
  const file = await announce(bundle, content, { href: 'a.bin' });
  const uploadId = await beginUpload(app.api, file);
  const etags: { etag: string; partNumber: number }[] = [];
  for (const [index, at] of [0, 30 * KB].entries()) {
    // A client that repeats a part needs no more room.
    for (let time = 0; time < 3; time++) {
      const part = content.subarray(at, at + 30 * KB);
      const response = await putPart(app.api, file, uploadId, index + 1, part);
      expect(response.status).toBe(200);
      etags[index] = response.body as { etag: string; partNumber: number };
    }
  }
  expect(await usage()).toMatchObject({ files: 0, sizeInBytes: 60 * KB });
  expectError(await post(bundle, 'b.bin', randomBytes(41 * KB)), 403, 'storage_quota_exceeded');
  expect((await completeUpload(app.api, file, uploadId, etags)).status).toBe(200);
  expect(await usage()).toMatchObject({ files: 1, sizeInBytes: 60 * KB });
  expect((await post(bundle, 'b.bin', randomBytes(40 * KB))).status).toBe(201);
});

it('refuses parts when nothing is left, whatever was announced before', async () => {
  const bundle = await createBundle(app);
  const uploads: [string, string][] = [];
  for (const href of ['a.bin', 'b.bin']) {
    const file = await announce(bundle, randomBytes(100 * KB), { href });
    uploads.push([file, await beginUpload(app.api, file)]);
  }
  const [first, second] = uploads as [[string, string], [string, string]];
  expect((await putPart(app.api, ...first, 1, randomBytes(100 * KB))).status).toBe(200);
  expectError(await putPart(app.api, ...second, 1, randomBytes(KB)), 403, 'storage_quota_exceeded');
});

it('is set for one organization by the operator, and recorded', async () => {
  const bundle = await createBundle(app);
  await post(bundle, 'a.bin', randomBytes(100 * KB));
  expect(await quota()).toMatchObject({
    code: 0,
    out: 'Files: 1. Stored: 0.000 GB. Limit: 0.000 GB.\n',
  });
  expect(await quota('--gigabytes', '0.002')).toMatchObject({ code: 0 });
  expect(await usage()).toMatchObject({ quotaInBytes: 2_000 * KB });
  expect((await post(bundle, 'b.bin', randomBytes(50 * KB))).status).toBe(201);
  expect(await quota('--gigabytes', '0')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Limit: none.'),
  });
  expect(await usage()).toMatchObject({ quotaInBytes: null });
  expect(await quota('--default')).toMatchObject({ code: 0 });
  expect(await usage()).toMatchObject({ quotaInBytes: 100 * KB });
  expectError(await post(bundle, 'c.bin', randomBytes(KB)), 403, 'storage_quota_exceeded');
  const events = await site.query(
    `SELECT 1 FROM audit_events WHERE organization_id = $1 AND object_type = 'organization' AND action = 'updated'`,
    [tenant.organizationId],
  );
  expect(events).toHaveLength(3);
});

it.each([
  [['--organization', 'acme'], '--organization must be the id of an organization.'],
  [['--gigabytes=-1'], '--gigabytes must be a number from 0 to 1000000.'],
  [['--gigabytes', 'many'], '--gigabytes must be a number from 0 to 1000000.'],
  [['--gigabytes', '1', '--default'], 'Use --gigabytes or --default, not both.'],
])('slipway storage quota %j is a wrong call', async (args, message) => {
  const { code, err } = await runProgram('storage quota', site, {
    args: ['--organization', tenant.organizationId, ...args],
  });
  expect(code).toBe(2);
  expect(err).toContain(message);
});

it('slipway storage quota of an unknown organization fails', async () => {
  const args = ['--organization', randomUUID(), '--gigabytes', '1'];
  expect(await runProgram('storage quota', site, { args })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Organization not found.'),
  });
});
