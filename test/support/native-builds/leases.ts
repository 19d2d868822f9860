import { grantLease, type TestLease } from '../jobs/leases.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../../builders/app.js';
import type { Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { zipOf } from '../live-updates/archives.js';
import { beginUpload, completeUpload, putPart } from '../live-updates/uploads.js';
import { sha256 } from '../sha256.js';
import type { Response } from 'supertest';

/** Gives a queued job to a runner that is the test, and starts it. Written to the database, so that no queue decides. */
export async function takeJob(jobId: string, site: Site = testEnvironment()): Promise<TestLease> {
  const lease = await grantLease(jobId, site);
  await query(
    site.databaseUrl,
    `UPDATE jobs SET status = 'in_progress', in_progress_at = now(), attempts = $2 WHERE id = $1`,
    [jobId, lease.attempt],
  );
  return lease;
}

/** An artifact to announce. */
export interface AnnouncedArtifact {
  readonly type: string;
  readonly fileName?: string;
  readonly fileSizeInBytes?: number;
  readonly sha256?: string;
}

/** Announces an artifact of the given bytes. */
export function announceArtifact(
  { api }: TestLease,
  bytes: Buffer,
  { type, ...values }: AnnouncedArtifact,
): Promise<Response> {
  return api.post('/v1/runner/job/artifacts', {
    type,
    fileName: `app.${type}`,
    fileSizeInBytes: bytes.length,
    sha256: sha256(bytes),
    ...values,
  });
}

/** Uploads an artifact as a runner does. @returns its id, and the response to the completion */
export async function uploadArtifact(
  lease: TestLease,
  bytes: Buffer,
  values: AnnouncedArtifact = { type: 'zip' },
): Promise<{ id: string; completed: Response }> {
  const announced = await announceArtifact(lease, bytes, values);
  expect(announced.status).toBe(201);
  const { id } = announced.body as { id: string };
  const path = `/v1/runner/job/artifacts/${id}`;
  const uploadId = await beginUpload(lease.api, path);
  const part = await putPart(lease.api, path, uploadId, 1, bytes);
  expect(part.status).toBe(200);
  return { id, completed: await completeUpload(lease.api, path, uploadId, [part.body]) };
}

/** Ends a job as its runner does. */
export function finishJob(
  { api, attempt }: TestLease,
  status = 'succeeded',
  logBytes = 0,
): Promise<Response> {
  return api.post('/v1/runner/job/finish', { attempt, status, logBytes });
}

/** A started build. */
export interface TestBuild {
  readonly id: string;
  readonly jobId: string;
}

/** Starts a build, by default of the web. */
export async function startBuild(app: TestApp, values: object): Promise<TestBuild> {
  const response = await app.api.post(`${app.path}/builds`, { platform: 'web', ...values });
  expect([response.status, response.body]).toEqual([201, expect.anything()]);
  return response.body as TestBuild;
}

/**
 * Does the jobs of an app as they come, until it is stopped: each logs a line and makes a web build.
 *
 * @returns stops it
 */
export function serveBuilds(app: TestApp, site: Site = testEnvironment()): () => Promise<void> {
  let stopped = false;
  const served = (async () => {
    const zip = await zipOf({ 'index.html': '<html>built' });
    while (!stopped) {
      const [job] = await query<{ id: string }>(
        site.databaseUrl,
        `SELECT id FROM jobs WHERE app_id = $1 AND status = 'queued' AND NOT is_held ORDER BY created_at LIMIT 1`,
        [app.id],
      );
      if (job === undefined) await sleep(100);
      else await serve(await takeJob(job.id, site), zip);
    }
  })();
  return async () => {
    stopped = true;
    await served;
  };
}

async function serve(lease: TestLease, zip: Buffer): Promise<void> {
  const line = 'Built by the test\n';
  const logged = await lease.api
    .request('patch', '/v1/runner/job/log')
    .set('Content-Type', 'text/plain')
    .set('Upload-Offset', '0')
    .send(line);
  expect(logged.status).toBe(202);
  expect((await uploadArtifact(lease, zip)).completed.status).toBe(200);
  expect((await finishJob(lease, 'succeeded', line.length)).status).toBe(200);
}
