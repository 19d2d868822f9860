import { openAsBlob } from 'node:fs';
import { createHash } from 'node:crypto';
import { RefusedError } from '../api/api-errors.js';
import type { JobApi } from '../api/job-api.js';
import { type BuiltFile, StepError } from '../steps/build-run.js';
import type { UploadedPartDto } from '../../storage/uploads/file-upload.dto.js';

/** Bytes of every part but the last. */
const PART = 10 * 1024 * 1024;

/**
 * Uploads what a build has made. It is hashed before it is sent: the API compares both. Parts are read while they are sent, so
 * that none is in memory.
 *
 * @param onPart called after every part
 * @throws StepError when the API refuses the file
 * @throws the reason of the signal
 */
export async function uploadArtifact(
  api: JobApi,
  built: BuiltFile,
  onPart: () => void,
  signal: AbortSignal,
): Promise<void> {
  const file = await openAsBlob(built.path);
  const { size } = file;
  try {
    const announced = {
      type: built.type,
      fileName: built.fileName,
      fileSizeInBytes: size,
      sha256: await sha256Of(file, signal),
    };
    const id = await api.announce(announced);
    const uploadId = await api.beginUpload(id);
    const parts: UploadedPartDto[] = [];
    for (let offset = 0; offset < size; offset += PART) {
      const part = file.slice(offset, offset + PART);
      parts.push(await api.putPart(id, uploadId, parts.length + 1, part));
      onPart();
    }
    await api.completeUpload(id, uploadId, parts);
  } catch (error) {
    // Such as a zip that is no bundle, or an organization that has no storage left.
    throw error instanceof RefusedError
      ? new StepError('output', `${built.fileName}: ${error.message}`)
      : error;
  }
}

async function sha256Of(file: Blob, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file.stream() as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
