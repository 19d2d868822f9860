import { execFile } from 'node:child_process';
import { constants, open, close } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';

/** How long a pipe that is to be closed must be silent, in milliseconds. */
const QUIET = 100;
/** How long it is read at most, in milliseconds: a process that is left may write for ever. */
const READ_FOR = 2000;

/** A pipe for what a command prints. */
export interface OutputPipe {
  /** For the command: its standard output and its standard error. */
  readonly fd: number;
  /** Closes the side of the command in this process, once the command has it. */
  release(): Promise<void>;
  /** Fulfilled when all is read and no process can still write, or after `close`. */
  readonly ended: Promise<void>;
  /** Reads what is left and no more, also if a process still has the pipe. */
  close(): void;
}

/**
 * Makes a pipe that both streams of a command share, so that their order is kept. The pipes of Node.js are sockets:
 * scripts that open `/dev/stderr` fail with them. Reads only as fast as `onOutput` returns.
 *
 * @param folder where the named pipe lies for a moment
 */
export async function openOutputPipe(folder: string, onOutput: (chunk: Buffer) => void): Promise<OutputPipe> {
  const path = join(folder, `output-${randomUUID()}`);
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
  const reader = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = await promisify(open)(path, constants.O_WRONLY);
  await unlink(path);
  const stream = new Socket({ fd: reader, readable: true, writable: false });
  stream.on('data', onOutput);
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('close', resolve);
    stream.once('error', reject);
  });
  return { fd: writer, release: () => promisify(close)(writer), ended, close: () => closeSoon(stream) };
}

/** What has been written before is read first: it is there without waiting. */
function closeSoon(stream: Socket): void {
  const end = () => stream.destroy();
  let timer = setTimeout(end, QUIET);
  const last = setTimeout(end, READ_FOR);
  stream.once('close', () => clearTimeout(last));
  stream.on('data', () => {
    clearTimeout(timer);
    timer = setTimeout(end, QUIET);
  });
}
