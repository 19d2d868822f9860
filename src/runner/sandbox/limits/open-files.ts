import { spawn } from 'node:child_process';
import { SYSTEM_ENVIRONMENT } from '../system-programs.js';
import { procOf } from './process-usage.js';

/** How many files the processes of a command may have open together. To look at them all takes about half a second. */
export const MAX_OPEN_FILES = 131_072;

/** A file that no longer has a name, or never had one. It takes space until the last process closes it. */
export interface DeletedFile {
  /** Device and inode, as `stat` has them. */
  readonly device: number;
  readonly inode: string;
  /** What it takes, in bytes. */
  readonly bytes: number;
  /** A path of it while the process lives, relative to the `/proc` of the sandbox. */
  readonly path: string;
}

export interface OpenFiles {
  /** Each once for each descriptor. */
  readonly deleted: readonly DeletedFile[];
  /** Folders of processes that do not let the runner see their files. */
  readonly hidden: readonly string[];
  /** Whether there are more than `MAX_OPEN_FILES`; then the rest is not complete. */
  readonly isTooMany: boolean;
}

/** One line for each descriptor; `-L` looks at the file behind it, whatever its path is. */
const FIND = [
  ['find', '-L', '-files0-from', '-', '-maxdepth', '1'],
  ['-type', 'd', '!', '-readable', '-printf', 'hidden %d %H\\n'],
  ['-o', '-type', 'f', '-links', '0', '-printf', 'deleted %D %i %b %p\\n'],
  ['-o', '-printf', '.\\n'],
].flat();

/**
 * Looks at all files that processes of a sandbox have open. A separate program does it, with low priority: a build
 * can open many, and the runner continues in the meantime.
 *
 * @param init the folder of the first process of the sandbox in `/proc`
 * @param processes folders of processes, relative to the `/proc` of the sandbox
 * @throws Error if the program cannot be started, finds nothing at all, or is ended by `signal`
 */
export function readOpenFiles(
  init: string,
  processes: readonly string[],
  signal: AbortSignal,
): Promise<OpenFiles> {
  const child = spawn('nice', ['-n', '10', 'setpriv', '--pdeathsig', 'KILL', ...FIND], {
    cwd: procOf(init),
    env: SYSTEM_ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(processes.map((folder) => `${folder}/fd\0`).join(''));
  const deleted: DeletedFile[] = [];
  const hidden: string[] = [];
  let count = 0;
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    count += lines.length;
    for (const line of lines) {
      const [word, first, second = '', third, path = ''] = line.split(' ');
      if (word === 'hidden' && first === '0') hidden.push(second.replace(/\/fd$/, ''));
      if (word === 'deleted') {
        deleted.push({ device: Number(first), inode: second, bytes: 512 * Number(third), path });
      }
    }
    if (count > MAX_OPEN_FILES) child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      // Every process has at least its folder.
      if (count === 0) reject(new Error('The open files of the build cannot be listed: find 4.9 is needed.'));
      else resolve({ deleted, hidden, isTooMany: count > MAX_OPEN_FILES });
    });
  });
}
