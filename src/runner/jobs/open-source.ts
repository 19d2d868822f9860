import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { PayloadSourceDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import type { JobApi } from '../api/job-api.js';
import { type JobFolders } from '../sandbox/sandbox.js';
import { StepError } from '../steps/build-run.js';

/**
 * Downloads the source of a job as a whole, so that a broken connection can be repeated, and compares it with what the
 * payload says.
 *
 * @param onBytes with every chunk that arrives
 * @returns the bytes; the file is gone already
 * @throws StepError when they are not those of the payload
 */
export async function openSource(
  api: JobApi,
  source: PayloadSourceDto,
  { root }: JobFolders,
  onBytes: () => void,
): Promise<Readable> {
  if (source.type !== 'archive') throw new Error('The source of this build is no archive.');
  const path = join(root, 'source.zip');
  await api.downloadSource(path, source.sizeInBytes, onBytes);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  const { size } = await stat(path);
  if (size !== source.sizeInBytes || hash.digest('hex') !== source.sha256) {
    throw new StepError('source', 'The source is damaged: it does not have the SHA-256 that the API says.');
  }
  const stream = createReadStream(path);
  await new Promise((resolve, reject) => stream.once('open', resolve).once('error', reject));
  await rm(path);
  return stream;
}
