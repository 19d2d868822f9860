import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ArchivePayloadSourceDto } from '../../../native-builds/runner-builds/build-payload.dto.js';
import { type BuildRun, StepError } from '../build-run.js';
import type { UnpackResult } from './unpack-process.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = fileURLToPath(new URL('./unpack-process.js', import.meta.url));
const DEADLINE_MS = 10 * 60_000;

/** Most JavaScript memory, in MiB. A directory of 100,000 long paths needs most of it. */
const MAX_MEMORY = 1024;

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

/**
 * Unpacks a zip with a project in a process that is killed when it takes too long: reading a hostile zip must not hold
 * up the runner.
 *
 * @param deadlineMs default: ten minutes
 * @throws StepError when the zip cannot be unpacked, also because the machine fails, such as with a full disk
 * @throws the reason of the signal
 */
export async function unpackInProcess(
  file: string,
  folder: string,
  signal: AbortSignal,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  signal.throwIfAborted();
  const child = fork(PROGRAM, [file, folder], {
    env: {},
    execArgv: [`--max-old-space-size=${MAX_MEMORY}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = (): boolean => child.kill('SIGKILL');
  const deadline = setTimeout(kill, deadlineMs);
  signal.addEventListener('abort', kill);
  try {
    const result = await new Promise<UnpackResult | null>((resolve, reject) => {
      let message: UnpackResult | null = null;
      child.once('message', (value) => (message = value as UnpackResult));
      child.once('error', reject);
      child.once('close', () => resolve(message));
    });
    signal.throwIfAborted();
    if (result === null) {
      throw new StepError('source', 'The zip of the source takes too much time or memory to unpack.');
    }
    if ('failure' in result) throw new StepError('source', result.failure);
    if (result.problem !== null) {
      throw new StepError('source', `The zip of the source cannot be used: ${result.problem}.`);
    }
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', kill);
    kill();
  }
}
