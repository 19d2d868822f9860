import type { TestApp } from '../../builders/app.js';
import { expectCreated } from '../http/expect-created.js';
import { type Files, zipOf } from '../live-updates/archives.js';
import { beginUpload, completeUpload, putPart } from '../live-updates/uploads.js';

/** A source, as the API shows it. */
export interface TestSource {
  readonly id: string;
  readonly status: string;
  readonly statusMessage: string | null;
}

/** Announces a source of the given size. @returns its path */
export async function announceSource(app: TestApp, fileSizeInBytes: number): Promise<string> {
  const { id } = expectCreated<TestSource>(
    await app.api.post(`${app.path}/build-sources`, { fileSizeInBytes }),
  );
  return `${app.path}/build-sources/${id}`;
}

/** Uploads a source in one part, as the CLI does. @returns its id */
export async function uploadSource(
  app: TestApp,
  content: Files | Buffer = { 'package.json': '{}' },
): Promise<string> {
  const bytes = Buffer.isBuffer(content) ? content : await zipOf(content);
  const path = await announceSource(app, bytes.length);
  const uploadId = await beginUpload(app.api, path);
  const part = await putPart(app.api, path, uploadId, 1, bytes);
  expect(part.status).toBe(200);
  const completed = await completeUpload(app.api, path, uploadId, [part.body]);
  expect([completed.status, completed.body]).toEqual([200, {}]);
  return path.slice(path.lastIndexOf('/') + 1);
}
