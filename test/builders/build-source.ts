import { beginUpload, completeUpload, putPart } from '../support/live-updates/uploads.js';
import { expectCreated } from '../support/http/expect-created.js';
import type { TestApp } from './app.js';

/** Bytes of a part but the last. */
const PART = 10 * 1024 * 1024;

/** Uploads the zip of a project for builds. @returns the id of the source */
export async function createBuildSource(app: TestApp, zip: Buffer): Promise<string> {
  const { id } = expectCreated<{ id: string }>(
    await app.api.post(`${app.path}/build-sources`, { fileSizeInBytes: zip.length }),
  );
  const path = `${app.path}/build-sources/${id}`;
  const uploadId = await beginUpload(app.api, path);
  const parts: { etag: string; partNumber: number }[] = [];
  for (let offset = 0; offset < zip.length; offset += PART) {
    const part = zip.subarray(offset, offset + PART);
    const { body } = await putPart(app.api, path, uploadId, parts.length + 1, part);
    parts.push(body as (typeof parts)[0]);
  }
  expect((await completeUpload(app.api, path, uploadId, parts)).status).toBeLessThan(300);
  return id;
}
