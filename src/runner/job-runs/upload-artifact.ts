import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { RefusedError } from '../api/api-errors.js';
import type { JobApi } from '../api/job-api.js';
import { type BuiltFile, StepError } from '../steps/build-run.js';
import type { UploadedPartDto } from '../../storage/uploads/file-upload.dto.js';

/** Bytes of every part but the last. */
const PART = 10 * 1024 * 1024;

/**
 * Uploads what a build has made. The file is opened once, and hashed before it is sent: the API compares both.
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
  const file = await open(built.path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
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
      const bytes = await readPart(file, offset, Math.min(PART, size - offset));
      parts.push(await api.putPart(id, uploadId, parts.length + 1, bytes));
      onPart();
    }
    await api.completeUpload(id, uploadId, parts);
  } catch (error) {
    // Such as a zip that is no bundle, or an organization that has no storage left.
    throw error instanceof RefusedError
      ? new StepError('output', `${built.fileName}: ${error.message}`)
      : error;
  } finally {
    await file.close();
  }
}

async function sha256Of(file: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const stream = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1024 * 1024 });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}

async function readPart(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(part, done, length - done, offset + done);
    if (bytesRead === 0) throw new Error('The file became shorter while it was uploaded.');
    done += bytesRead;
  }
  return part;
}
