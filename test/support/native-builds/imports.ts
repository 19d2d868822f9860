import type { Response } from 'supertest';
import type { TestApp } from '../../builders/app.js';
import { eventually } from '../eventually.js';
import { expectCreated } from '../http/expect-created.js';
import { readJob, type TestJob, type TestJobLog } from '../jobs/leases.js';
import { beginUpload, completeUpload, putPart } from '../live-updates/uploads.js';

/** A started import. */
export interface TestImport {
  readonly id: string;
  readonly jobId: string;
  readonly appBuildArtifactId: string;
}

type Ended = TestJob & { readonly jobLogs: readonly TestJobLog[] };

/** The body of an import of a file, by default of an apk. */
export function importBody(bytes: Buffer, values: object = {}): object {
  const { artifact = {}, ...others } = values as { artifact?: object };
  const file = { type: 'apk', fileName: 'app.apk', fileSizeInBytes: bytes.length };
  return { platform: 'android', ...others, artifact: { ...file, ...artifact } };
}

/** Announces an import. */
export async function startImport(app: TestApp, bytes: Buffer, values?: object): Promise<TestImport> {
  return expectCreated<TestImport>(
    await app.api.post(`${app.path}/builds/imports`, importBody(bytes, values)),
  );
}

/** Where the bytes of an import go. */
export function pathOfImport(app: TestApp, { id, appBuildArtifactId }: TestImport): string {
  return `${app.path}/builds/${id}/artifacts/${appBuildArtifactId}`;
}

/** Uploads the bytes of an import in one part. @returns the response to the completion */
export async function uploadImport(app: TestApp, started: TestImport, bytes: Buffer): Promise<Response> {
  const path = pathOfImport(app, started);
  const uploadId = await beginUpload(app.api, path);
  const part = await putPart(app.api, path, uploadId, 1, bytes);
  expect(part.status).toBe(200);
  return completeUpload(app.api, path, uploadId, [part.body]);
}

/** The job of an import, when it has ended. */
export function endOfImport(app: TestApp, { jobId }: TestImport, patience?: number): Promise<Ended> {
  return eventually(async () => {
    const job = await readJob(app, jobId);
    expect(job['finishedAt']).not.toBeNull();
    return job;
  }, patience);
}

/** Imports a file, and waits for the end of the job. */
export async function importFile(
  app: TestApp,
  bytes: Buffer,
  values?: object,
): Promise<TestImport & { readonly job: Ended }> {
  const started = await startImport(app, bytes, values);
  const completed = await uploadImport(app, started, bytes);
  expect([completed.status, completed.body]).toEqual([200, {}]);
  return { ...started, job: await endOfImport(app, started) };
}
