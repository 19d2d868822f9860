import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { StepError } from '../build-run.js';
import type { UnpackResult } from './unpack-process.js';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = fileURLToPath(new URL('./unpack-process.js', import.meta.url));
const DEADLINE_MS = 10 * 60_000;
/** Most JavaScript memory, in MiB. A directory of 100,000 long paths needs most of it. */
const MAX_MEMORY = 1024;

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
