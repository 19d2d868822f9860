import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { createTenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import type { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { zipOf } from '../../support/live-updates/archives.js';
import {
  announce,
  beginUpload,
  completeUpload,
  postFile,
  publish,
  putPart,
  uploadFiles,
} from '../../support/live-updates/uploads.js';
import { announceArtifact, startBuild, takeJob } from '../../support/native-builds/leases.js';
import { announceSource, uploadSource } from '../../support/native-builds/sources.js';
import { sha256 } from '../../support/sha256.js';

const KB = 1000;

/** Who uploads a file, and where. */
interface Target {
  readonly api: Api;
  readonly path: string;
}

let app: TestApp;
beforeEach(async () => {
  app = await createApp(await createTenant());
  // As `slipway storage quota` sets it.
  await query(
    testEnvironment().databaseUrl,
    'UPDATE organizations SET storage_quota_in_bytes = $2 WHERE id = $1',
    [app.tenant.organizationId, 1000 * KB],
  );
});

/** A zip of about this size: what a source must be, and the others may be. */
const zip = (kilobytes: number): Promise<Buffer> =>
  zipOf({ 'package.json': '{}', 'random.bin': randomBytes(kilobytes * KB) });

const usage = async (): Promise<{ files: number; sizeInBytes: number }> =>
  (await app.api.get(`/v1/organizations/${app.tenant.organizationId}/storage`)).body as {
    files: number;
    sizeInBytes: number;
  };

/** Stores a file in one request, which shows whether there is room. */
const store = async (content: Buffer): Promise<number> =>
  (await postFile(await createBundle(app), content, { href: 'other.bin' })).status;

/** Uploads two parts. @returns them in the order of their numbers */
async function putParts(
  { api, path }: Target,
  uploadId: string,
  content: Buffer,
): Promise<{ etag: string; partNumber: number }[]> {
  const middle = Math.ceil(content.length / 2);
  const parts = [content.subarray(0, middle), content.subarray(middle)];
  const responses = await Promise.all(parts.map((part, i) => putPart(api, path, uploadId, i + 1, part)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  return responses.map(({ body }) => body as { etag: string; partNumber: number });
}

async function upload(target: Target, content: Buffer): Promise<Response> {
  const uploadId = await beginUpload(target.api, target.path);
  const parts = await putParts(target, uploadId, content);
  return completeUpload(target.api, target.path, uploadId, parts);
}

describe.each<[string, (content: Buffer) => Promise<Target>]>([
  [
    'a file of a bundle',
    async (content) => {
      const bundle = await createBundle(app);
      return { api: app.api, path: await announce(bundle, content, { href: 'app.bin' }) };
    },
  ],
  ['a build source', async (content) => ({ api: app.api, path: await announceSource(app, content.length) })],
  [
    'an artifact of a runner',
    async (content) => {
      const appBuildSourceId = await uploadSource(app);
      const { jobId } = await startBuild(app, { appBuildSourceId, platform: 'android' });
      const lease = await takeJob(jobId);
      const { status, body } = await announceArtifact(lease, content, { type: 'zip' });
      expect(status).toBe(201);
      return { api: lease.api, path: `/v1/runner/job/artifacts/${(body as { id: string }).id}` };
    },
  ],
])('the upload in parts of %s', (_kind, announceFile) => {
  it('counts once against the storage quota', async () => {
    const content = await zip(700);
    const target = await announceFile(content);
    const { sizeInBytes: before } = await usage();
    expect((await upload(target, content)).status).toBe(200);
    expect((await usage()).sizeInBytes).toBe(before + content.length);
    expect(await store(randomBytes(310 * KB))).toBe(403);
    expect(await store(randomBytes(280 * KB))).toBe(201);
  });

  it('counts no longer once it is refused', async () => {
    const content = await zip(700);
    const target = await announceFile(content);
    const { sizeInBytes: before } = await usage();
    expect((await upload(target, randomBytes(content.length))).status).toBe(400);
    expect((await usage()).sizeInBytes).toBe(before);
    expect((await upload(target, content)).status).toBe(200);
  });

  it('counts no longer once newer ones have replaced it', async () => {
    const target = await announceFile(await zip(700));
    await putParts(target, await beginUpload(target.api, target.path), randomBytes(690 * KB));
    for (let turn = 0; turn < 3; turn++) await beginUpload(target.api, target.path);
    expect(await store(randomBytes(900 * KB))).toBe(201);
  });

  it('needs no room for content that is stored already, and its parts count no longer', async () => {
    const content = await zip(400);
    expect(await store(content)).toBe(201);
    expect((await upload(await announceFile(content), content)).status).toBe(200);
    expect(await store(randomBytes(580 * KB))).toBe(201);
  });

  it('may complete when another one does', async () => {
    const contents = [await zip(450), await zip(450)];
    const completions: (() => Promise<Response>)[] = [];
    for (const content of contents) {
      const { api, path } = await announceFile(content);
      const uploadId = await beginUpload(api, path);
      const parts = await putParts({ api, path }, uploadId, content);
      completions.push(() => completeUpload(api, path, uploadId, parts));
    }
    const responses = await Promise.all(completions.map((complete) => complete()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await store(randomBytes(80 * KB))).toBe(201);
  });

  it('may list its parts in any order, and each of them once', async () => {
    const content = await zip(10);
    const { api, path } = await announceFile(content);
    const uploadId = await beginUpload(api, path);
    const [first, second] = await putParts({ api, path }, uploadId, content);
    const complete = (...parts: { etag: string; partNumber: number }[]) =>
      completeUpload(api, path, uploadId, parts);
    expectInvalid(await complete(first!, second!, first!), 'parts');
    expectInvalid(await complete(first!, { ...second!, partNumber: 1 }), 'parts');
    expect((await complete(second!, first!)).status).toBe(200);
    expect((await complete(first!, second!)).status).toBe(200);
    const whole = await query(testEnvironment().databaseUrl, 'SELECT 1 FROM blobs WHERE sha256 = $1', [
      sha256(content),
    ]);
    expect(whole).toHaveLength(1);
  });
});

it('may be completed again while its completion ends', async () => {
  const content = await zip(10);
  const path = await announceSource(app, content.length);
  const uploadId = await beginUpload(app.api, path);
  const parts = await putParts({ api: app.api, path }, uploadId, content);
  const other = new pg.Client({ connectionString: testEnvironment().databaseUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('LOCK TABLE upload_parts IN ACCESS EXCLUSIVE MODE');
    const response = completeUpload(app.api, path, uploadId, parts).then(({ status }) => status);
    // Until it waits for the parts.
    const waiting = `SELECT FROM pg_locks WHERE relation = 'upload_parts'::regclass AND NOT granted`;
    while ((await other.query(waiting)).rowCount === 0) await setTimeout(10);
    await other.query('UPDATE uploads SET completed_at = now() WHERE id = $1', [uploadId]);
    await other.query('DELETE FROM upload_parts WHERE upload_id = $1', [uploadId]);
    await other.query('COMMIT');
    expect(await response).toBe(200);
  } finally {
    await other.end();
  }
});

it('counts nothing of a file that is refused when it is stored', async () => {
  const bundle = await createBundle(app);
  await uploadFiles(bundle, { 'index.html': '<html>' });
  expect((await publish(bundle)).status).toBe(200);
  expectError(await postFile(bundle, randomBytes(700 * KB), { href: 'a.bin' }), 409, 'bundle_published');
  expect(await store(randomBytes(700 * KB))).toBe(201);
});

it('refuses sources that are announced larger than what is left', async () => {
  const path = `${app.path}/build-sources`;
  expectError(await app.api.post(path, { fileSizeInBytes: 1001 * KB }), 403, 'storage_quota_exceeded');
  expect((await app.api.post(path, { fileSizeInBytes: 1000 * KB })).status).toBe(201);
});
