import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArchivePayloadSourceDto } from '../../../native-builds/runner-builds/build-payload.dto.js';
import { type BuildRun, StepError } from '../build-run.js';
import { unpackInProcess } from './unpack-in-process.js';

/**
 * Downloads the zip of a source and unpacks it to the working copy.
 *
 * @throws StepError when it is not the zip that was uploaded, or cannot be unpacked
 */
export async function fetchArchive(run: BuildRun, source: ArchivePayloadSourceDto): Promise<void> {
  const { folders, log, signal } = run;
  log.line(`Downloading the source: ${source.sizeInBytes} bytes`);
  const file = join(folders.root, 'archive.zip');
  try {
    await download(run, source, file);
    log.line('Unpacking the source');
    await unpackInProcess(file, folders.repo, signal);
  } finally {
    await rm(file, { force: true });
  }
}

async function download(
  run: BuildRun,
  { sizeInBytes, sha256 }: ArchivePayloadSourceDto,
  file: string,
): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      size += chunk.length;
      hash.update(chunk);
      if (size > sizeInBytes) callback(changed());
      else callback(null, chunk);
    },
  });
  const source = await run.openSource();
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await pipeline(source, check, target, { signal: run.signal });
  if (size !== sizeInBytes || hash.digest('hex') !== sha256) throw changed();
}

function changed(): StepError {
  return new StepError(
    'source',
    'The source that arrived is not the one that was uploaded: its SHA-256 differs.',
  );
}
