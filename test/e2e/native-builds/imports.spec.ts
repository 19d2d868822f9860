import { v7 as uuid } from 'uuid';
import { build } from 'plist';
import { createApp, type TestApp } from '../../builders/app.js';
import { createMember } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { linesOf, readJob } from '../../support/jobs/leases.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { beginUpload, completeUpload, putPart } from '../../support/live-updates/uploads.js';
import { makeAab } from '../../support/native-builds/aab-writer.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import {
  endOfImport,
  importBody,
  importFile,
  pathOfImport,
  startImport,
  type TestImport,
  uploadImport,
} from '../../support/native-builds/imports.js';
import { longProtoTable } from '../../support/native-builds/hostile-files.js';
import { makeIpa } from '../../support/native-builds/ipa-writer.js';
import { sha256 } from '../../support/sha256.js';

let app: TestApp;
let apk: Buffer;

beforeAll(async () => {
  app = await createApp();
  apk = await makeApk({ packageName: 'com.example.shop', label: 'Shop', signed: 'v2' });
});

/** The build of an import, with its artifacts and its job. */
const buildOf = async ({ id }: Pick<TestImport, 'id'>): Promise<Record<string, unknown>> =>
  (await app.api.get(`${app.path}/builds/${id}?relations=appBuildArtifacts,job,job.jobLogs`)).body as Record<
    string,
    unknown
  >;
const post = (body: object) => app.api.post(`${app.path}/builds/imports`, body);
const ios = (values: object = {}) => ({
  platform: 'ios',
  ...values,
  artifact: { type: 'ipa', fileName: 'App.ipa' },
});

describe('a new import', () => {
  it('is a build with a job and an artifact that wait for the bytes', async () => {
    const values = {
      type: 'release',
      gitRef: 'v1.4.0',
      packageName: 'com.example.shop',
      releaseNotes: { default: 'Fixes the checkout.' },
    };
    const created = expectCreated<Record<string, unknown>>(await post(importBody(apk, values)));
    expect(created).toMatchObject({
      ...values,
      appId: app.id,
      platform: 'android',
      numberAsString: expect.stringMatching(/^\d+$/) as string,
      packageVersion: null,
      createdBy: app.tenant.owner.userId,
    });
    const started = created as unknown as TestImport;
    expect(await buildOf(started)).toMatchObject({
      appBuildArtifacts: [
        { id: started.appBuildArtifactId, type: 'apk', status: 'pending', fileSizeInBytes: apk.length },
      ],
      job: { id: started.jobId, status: 'queued', appBuildId: started.id, platform: null, jobLogs: [] },
    });
  });

  it('has the next number of the app', async () => {
    const [first, second] = [await startImport(app, apk), await startImport(app, apk)];
    const numberOf = async (started: TestImport) => Number((await buildOf(started))['numberAsString']);
    expect(await numberOf(second)).toBe((await numberOf(first)) + 1);
  });

  it.each([
    ['platform', 'POST /v1/apps/{appId}/bundles', { platform: 'web' }],
    ['artifact.type', 'POST /v1/apps/{appId}/bundles', { artifact: { type: 'zip', fileName: 'www.zip' } }],
    ['artifact.type', 'apk, aab or ipa', { artifact: { type: 'dsym', fileName: 'app.dsym' } }],
    ['artifact.type', 'must be ipa', { platform: 'ios' }],
    ['artifact.type', 'apk or aab', { artifact: { type: 'ipa', fileName: 'app.ipa' } }],
    ['artifact.fileName', 'must end with .apk', { artifact: { fileName: 'app.aab' } }],
    ['artifact.fileName', 'must end with .apk', { artifact: { fileName: 'app' } }],
    ['artifact.fileName', 'without folders', { artifact: { fileName: '../app.apk' } }],
    ['artifact.fileName', '255', { artifact: { fileName: `${'a'.repeat(300)}.apk` } }],
    ['artifact.fileSizeInBytes', 'at least 1', { artifact: { fileSizeInBytes: 0 } }],
    ['artifact.fileSizeInBytes', 'at most 2147483648', { artifact: { fileSizeInBytes: 2 * 1024 ** 3 + 1 } }],
    [
      'artifact.fileSizeInBytes',
      'at most 2147483648',
      { platform: 'ios', artifact: { type: 'ipa', fileName: 'a.ipa', fileSizeInBytes: 3 * 1024 ** 3 } },
    ],
    ['artifact.fileSizeInBytes', 'a whole number', { artifact: { fileSizeInBytes: '10' } }],
    ['artifact.sha256', 'hexadecimal', { artifact: { sha256: 'A'.repeat(64) } }],
    ['type', 'debug, release', { type: 'app-store' }],
    ['packageName', 'com.example.app', { packageName: 'shop' }],
    ['gitRef', '255', { gitRef: 'a'.repeat(5_000) }],
    ['releaseNotes', '4000', { releaseNotes: { de: 'a'.repeat(1_000_000) } }],
  ])('is refused for its %s, with the words %s', async (field, text, values) => {
    expect(expectInvalid(await post(importBody(apk, values)), field).message).toContain(text);
  });

  it.each([null, [], 'app.apk', 7])('is refused without an object as artifact: %j', async (artifact) => {
    expectInvalid(await post({ platform: 'android', artifact }), 'artifact');
  });

  it('takes nothing of a refused request', async () => {
    const before = await startImport(app, apk);
    await post(importBody(apk, { type: 'app-store' }));
    const after = await startImport(app, apk);
    const numberOf = async (started: TestImport) => Number((await buildOf(started))['numberAsString']);
    expect(await numberOf(after)).toBe((await numberOf(before)) + 1);
  });

  it('needs the permission to build', async () => {
    const viewer = await createMember(app.tenant, 'viewer');
    expectError(await viewer.api.post(`${app.path}/builds/imports`, importBody(apk)), 403, 'not_authorized');
  });

  it('is one of at most 20 of an app that have not ended, also when they begin at once', async () => {
    const busy = await createApp();
    const start = () => busy.api.post(`${busy.path}/builds/imports`, importBody(apk));
    const all = await Promise.all(Array.from({ length: 24 }, start));
    const started = all.filter(({ status }) => status === 201);
    expect(started).toHaveLength(20);
    for (const response of all.filter(({ status }) => status !== 201)) {
      expect(expectError(response, 409, 'imports_pending').message).toContain('20');
    }
    const [first] = started.map(({ body }) => body as TestImport);
    await busy.api.patch(`/v1/jobs/${first!.jobId}`, { status: 'canceled' });
    expect((await start()).status).toBe(201);
  });
});

describe('an uploaded import', () => {
  it('of an apk is read, and is then as a build of a runner', async () => {
    const done = await importFile(app, apk, { artifact: { sha256: sha256(apk) } });
    expect(done.job).toMatchObject({ status: 'succeeded', statusMessage: null, appBuildId: done.id });
    expect(linesOf(done.job)).toEqual([
      `Reading app.apk: ${apk.length.toLocaleString('en')} bytes.`,
      'Package: com.example.shop',
      expect.stringMatching(/^Version: /),
      'Name: Shop',
      expect.stringMatching(/^API level: /),
      expect.stringMatching(/^Signer: .*SHA-256 (?:[0-9A-F]{2}:){31}[0-9A-F]{2}, .*signature v2$/),
    ]);
    expect(await buildOf(done)).toMatchObject({
      type: 'release',
      packageName: 'com.example.shop',
      packageVersion: '1.0.0',
      displayName: 'Shop',
      appBuildArtifactId: done.appBuildArtifactId,
      appBuildArtifacts: [
        { type: 'apk', status: 'ready', packageName: 'com.example.shop', fileSizeInBytes: apk.length },
      ],
    });
    const path = `${pathOfImport(app, done)}/download`;
    const { body, headers } = await app.api.request('get', path).buffer(true).responseType('blob');
    expect(sha256(body as Buffer)).toBe(sha256(apk));
    expect(headers['content-type']).toBe('application/vnd.android.package-archive');
  });

  it('says which entries it cannot read', async () => {
    const ipa = await makeIpa({ entries: { 'Payload/App.app/video.mp4': Buffer.from('x') } });
    const entry = ipa.lastIndexOf('Payload/App.app/video.mp4') - 46;
    expect(ipa.toString('latin1', entry, entry + 4)).toBe('PK\x01\x02');
    ipa.writeUInt16LE(14, entry + 10);
    const { job } = await importFile(app, ipa, ios());
    expect(job.status).toBe('succeeded');
    expect(linesOf(job).at(-1)).toBe(
      'Not read: Payload/App.app/video.mp4 is packed with LZMA (method 14): pack again with deflate. Devices may be unable to read it, too.',
    );
  });

  it('of an aab with 300,000 resources that refer to each other is read', async () => {
    const table = longProtoTable('Shop', 300_000);
    const aab = await makeAab({ packageName: 'com.example.shop', entries: { 'base/resources.pb': table } });
    const { job } = await importFile(app, aab, { artifact: { type: 'aab', fileName: 'app.aab' } });
    expect(job).toMatchObject({ status: 'succeeded' });
    expect(linesOf(job)).toContain('Name: Shop');
  });

  it('of an aab and of an ipa is read, too', async () => {
    const aab = await makeAab({ packageName: 'com.example.shop', signed: true });
    const bundle = await importFile(app, aab, { artifact: { type: 'aab', fileName: 'app.aab' } });
    expect(bundle.job.status).toBe('succeeded');
    expect(await buildOf(bundle)).toMatchObject({ type: 'release', packageName: 'com.example.shop' });
    const info = {
      CFBundleIdentifier: 'com.example.shop',
      DTPlatformName: 'appletvos',
      MinimumOSVersion: '16',
    };
    const answer = { ITSAppUsesNonExemptEncryption: true };
    const entries = { 'Payload/App.app/Info.plist': Buffer.from(build({ ...info, ...answer })) };
    const ipa = await makeIpa({ packageName: 'com.example.shop', profile: 'ad-hoc', entries });
    const archive = await importFile(app, ipa, ios());
    expect(archive.job.status).toBe('succeeded');
    expect(await buildOf(archive)).toMatchObject({
      type: 'ad-hoc',
      packageName: 'com.example.shop',
      appBuildArtifacts: [
        {
          applePlatform: 'tvos',
          usesNonExemptEncryption: true,
          signer: { profileType: 'ad-hoc', profileBundleId: 'com.example.shop' },
        },
      ],
    });
    expect(linesOf(archive.job)).toEqual(
      expect.arrayContaining(['tvOS: 16 or higher', 'Encryption that is not exempt from export rules: yes']),
    );
  });

  it.each([
    ['debug', 'android', () => makeApk({ debuggable: true }), {}],
    ['app-store', 'ios', () => makeIpa({ profile: 'app-store' }), ios()],
    ['simulator', 'ios', () => makeIpa({ profile: null }), ios({ type: 'simulator' })],
    [null, 'ios', () => makeIpa({ profile: null }), ios()],
  ])('has the type %s of its file for %s', async (type, platform, make, values) => {
    const done = await importFile(app, await make(), values);
    expect(done.job.status).toBe('succeeded');
    expect(await buildOf(done)).toMatchObject({ type, platform });
  });

  it.each([
    ['another package name', { packageName: 'com.example.other' }, /com\.example\.shop.*com\.example\.other/],
    ['another type', { type: 'debug' }, /release.*debug/],
  ])('fails for %s than was announced, and keeps nothing', async (_what, values, message) => {
    const done = await importFile(app, apk, values);
    expect(done.job).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringMatching(message) as string,
    });
    expect(linesOf(done.job)).toContain('Package: com.example.shop');
    expect(linesOf(done.job).at(-1)).toBe(done.job['statusMessage']);
    expect(await buildOf(done)).toMatchObject({ ...values, appBuildArtifactId: null, appBuildArtifacts: [] });
    expectError(await app.api.get(`${pathOfImport(app, done)}/download`), 404, 'build_artifact_not_found');
  });

  it.each([
    ['an aab', () => makeAab(), /aab/],
    ['an ipa', () => makeIpa(), /ipa/],
    ['a zip', () => zipOf({ 'index.html': '<html>' }), /apk/],
    ['a text', () => Buffer.from('<html>'), /apk/],
  ])('fails when it is %s with the name of an apk, and says so', async (_what, make, message) => {
    const done = await importFile(app, await make());
    expect(done.job).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringMatching(message) as string,
    });
    expect(await buildOf(done)).toMatchObject({ appBuildArtifacts: [], packageName: null });
    const { body } = await app.api.post(`/v1/jobs/${done.jobId}/failure-summary`);
    expect(body).toMatchObject({
      summary: expect.stringContaining(String(done.job['statusMessage'])) as string,
    });
  });

  it('cannot be deployed to a channel', async () => {
    const { id } = await importFile(app, apk);
    const response = await app.api.post(`${app.path}/deployments`, {
      appBuildId: id,
      appChannelId: app.defaultChannelId,
    });
    expect(expectError(response, 400).message).toMatch(/web/);
  });

  it('must have the announced size and SHA-256; then it can be uploaded again', async () => {
    const started = await startImport(app, apk, { artifact: { sha256: sha256(apk) } });
    const other = Buffer.from(apk);
    other[other.length - 1] = 0xff;
    expectInvalid(await uploadImport(app, started, other), 'parts');
    expectInvalid(await uploadImport(app, started, apk.subarray(1)), 'parts');
    expect(await readJob(app, started.jobId)).toMatchObject({ status: 'queued', jobLogs: [] });
    expect((await uploadImport(app, started, apk)).status).toBe(200);
    expect((await endOfImport(app, started)).status).toBe('succeeded');
  });

  it('is read once, however often and at once it is completed', async () => {
    const started = await startImport(app, apk);
    const path = pathOfImport(app, started);
    const uploadId = await beginUpload(app.api, path);
    const part = await putPart(app.api, path, uploadId, 1, apk);
    const complete = () => completeUpload(app.api, path, uploadId, [part.body]);
    const responses = await Promise.all([complete(), complete(), complete()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const job = await endOfImport(app, started);
    expect((await complete()).status).toBe(200);
    expect(await readJob(app, started.jobId)).toEqual(job);
    expect(linesOf(job).filter((line) => line.startsWith('Package: '))).toHaveLength(1);
  });

  it('takes no other bytes when it is complete', async () => {
    const started = await startImport(app, apk);
    const path = pathOfImport(app, started);
    const [first, second] = [await beginUpload(app.api, path), await beginUpload(app.api, path)];
    const part = await putPart(app.api, path, first, 1, apk);
    const other = await putPart(app.api, path, second, 1, Buffer.alloc(apk.length));
    expect((await completeUpload(app.api, path, first, [part.body])).status).toBe(200);
    expectError(await completeUpload(app.api, path, second, [other.body]), 409, 'import_ended');
    expectError(await app.api.post(`${path}/upload?action=mpu-create`, {}), 409, 'import_ended');
    expectError(await putPart(app.api, path, second, 1, apk), 409, 'import_ended');
    expect((await endOfImport(app, started)).status).toBe('succeeded');
  });
});

describe('an import that has ended without its file', () => {
  it('by a user takes no bytes any more, and says why', async () => {
    const started = await startImport(app, apk);
    const path = pathOfImport(app, started);
    const uploadId = await beginUpload(app.api, path);
    const part = await putPart(app.api, path, uploadId, 1, apk);
    const canceled = await app.api.patch(`/v1/jobs/${started.jobId}`, { status: 'canceled' });
    expect(canceled.status).toBe(200);
    for (const response of [
      await putPart(app.api, path, uploadId, 1, apk),
      await completeUpload(app.api, path, uploadId, [part.body]),
      await app.api.post(`${path}/upload?action=mpu-create`, {}),
    ]) {
      expect(expectError(response, 409, 'import_ended').message).toContain('it was canceled');
    }
    expect(linesOf(await readJob(app, started.jobId))).toEqual(['The job was canceled.']);
    expect(await buildOf(started)).toMatchObject({ appBuildArtifacts: [] });
    const uploads = await query(testEnvironment().databaseUrl, 'SELECT FROM uploads WHERE id = $1', [
      uploadId,
    ]);
    expect(uploads).toEqual([]);
  });
});

describe('the upload of an import', () => {
  it('is none of other apps, other builds and other artifacts', async () => {
    const started = await startImport(app, apk);
    const foreign = await createApp();
    const begin = (api: TestApp['api'], path: string) => api.post(`${path}/upload?action=mpu-create`, {});
    expectError(await begin(foreign.api, pathOfImport(app, started)), 404, 'app_not_found');
    expectError(await begin(foreign.api, pathOfImport(foreign, started)), 404, 'build_not_found');
    const another = await startImport(app, apk);
    const mixed = pathOfImport(app, { ...started, appBuildArtifactId: another.appBuildArtifactId });
    expectError(await begin(app.api, mixed), 404, 'build_artifact_not_found');
    const unknown = pathOfImport(app, { ...started, appBuildArtifactId: uuid() });
    expectError(await begin(app.api, unknown), 404, 'build_artifact_not_found');
  });

  it('is none of builds that were not imported', async () => {
    const bundle = expectCreated<{ id: string; appBuildId: string }>(
      await app.api.post(`${app.path}/bundles`, { artifactType: 'zip' }),
    );
    const { body } = await app.api.get(`${app.path}/bundles/${bundle.id}`);
    const { appBuildId } = body as { appBuildId: string };
    const path = `${app.path}/builds/${appBuildId}/artifacts/${bundle.id}`;
    expectError(await app.api.post(`${path}/upload?action=mpu-create`, {}), 404, 'build_artifact_not_found');
  });
});
