import { spawn } from 'node:child_process';
import { chmod, rm, readdir, readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { constants, setPriority, tmpdir } from 'node:os';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { frame, type RunEnd, type RunRequest, type SocketRequest } from './command-protocol.js';

/** Milliseconds between two looks for processes that die. */
const LOOK = 5;

/** Longest request, in bytes: Linux itself takes no longer arguments and environments by default. */
const MAX_REQUEST = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Niceness of builds: lower priority than the agent. */
const NICENESS = 10;
/** Both streams through one pipe, so that they stay in order. */
const JOINED = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh'] as const;

/**
 * The program of the container that builds: runs one command at a time for the agent, which has the token and is in another
 * container. It has no secrets. What builds do to it, or say to its socket, changes only their own results.
 *
 * @param path of the socket, which both containers see
 * @param waitSeconds how long to wait for the agent
 * @returns when the agent has left
 * @throws Error when this is not the first process of a container, or the agent does not come
 */
export async function serveCommands(path: string, waitSeconds: number): Promise<void> {
  if (!isFirstProcess())
    throw new Error('"slipway runner commands" must be the first process of a container.');
  setPriority(NICENESS);
  const left = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => left.reject(new Error(`The agent did not come within ${waitSeconds} seconds.`)),
    waitSeconds * 1000,
  );
  let isBusy = false;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // What the other side does is seen by 'close'.
    socket.on('error', () => undefined);
    void readRequest(socket).then(async (request) => {
      if (request === null || ('run' in request && isBusy)) return void socket.destroy();
      if ('hold' in request) {
        clearTimeout(timer);
        socket.write(frame('h', Buffer.alloc(0)));
        socket.on('end', left.resolve).on('close', left.resolve).resume();
        return;
      }
      isBusy = true;
      await run(request, socket).finally(() => (isBusy = false));
    }, left.reject);
  });
  await rm(path, { force: true });
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  try {
    await left.promise;
  } finally {
    clearTimeout(timer);
    server.close();
    await killOthers();
  }
}

/** @returns `null` when it is no request */
function readRequest(socket: Socket): Promise<SocketRequest | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (request: SocketRequest | null): void => {
      socket.off('data', take).off('end', leave).off('close', leave);
      resolve(request);
    };
    const leave = (): void => done(null);
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (chunk.at(-1) === NEWLINE) done(parseRequest(Buffer.concat(chunks).toString()));
      else if (length > MAX_REQUEST) done(null);
    };
    socket.on('data', take).on('end', leave).on('close', leave);
  });
}

function parseRequest(text: string): SocketRequest | null {
  try {
    return JSON.parse(text) as SocketRequest;
  } catch {
    return null;
  }
}

async function run({ run: { command, cwd, env } }: RunRequest, socket: Socket): Promise<void> {
  const before = await countOutOfMemory();
  const [program, ...args] = [...JOINED, ...command];
  const own = { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir(), USER: 'build', LANG: 'C.UTF-8' };
  const child = spawn(program, args, {
    cwd,
    env: { ...own, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const kill = (): void => void killOthers();
  socket.on('end', kill).on('close', kill).resume();
  child.once('exit', kill);
  child.stdout.on('data', (chunk: Buffer) => {
    if (socket.destroyed || socket.write(frame('o', chunk))) return;
    child.stdout.pause();
    const resume = (): void => void child.stdout.resume();
    socket.once('drain', resume).once('close', resume);
  });
  let exitCode: number;
  try {
    const [code, signal] = await closed;
    exitCode = code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
  } catch (error) {
    // There is no such folder.
    socket.write(frame('o', Buffer.from(`${(error as Error).message}\n`)));
    exitCode = 127;
  }
  await killOthers();
  const after = await countOutOfMemory();
  const end: RunEnd = { exitCode, outOfMemory: before !== null && after !== null && after > before };
  if (!socket.destroyed) socket.end(frame('e', Buffer.from(JSON.stringify(end))));
}

/** Whether this process is the first one of its container, which sees no process of others. */
export function isFirstProcess(): boolean {
  return process.pid === 1;
}

/**
 * Kills every other process of the container, and waits until they are dead.
 *
 * @throws Error in any other process than the first one of a container: there it would kill those of the machine
 */
export async function killOthers(): Promise<void> {
  if (!isFirstProcess()) throw new Error('Only the first process of a container may do this.');
  while (await hasOthers()) {
    try {
      process.kill(-1, 'SIGKILL');
    } catch (error) {
      // The last one has just died.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(LOOK);
  }
}

/** Whether a process besides this one lives. Those that are dead stay in the list until their parent asks for them. */
async function hasOthers(): Promise<boolean> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || name === '1') continue;
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
    // The name of the program is in parentheses and may contain some itself.
    const state = stat?.slice(stat.lastIndexOf(')') + 2)[0];
    if (state !== undefined && state !== 'Z' && state !== 'X') return true;
  }
  return false;
}

/** How many processes of the container the system has killed for their memory; `null`: it does not say. */
export async function countOutOfMemory(): Promise<number | null> {
  const events = await readFile('/sys/fs/cgroup/memory.events', 'latin1').catch(() => '');
  const count = /^oom_kill (\d+)$/m.exec(events)?.[1];
  return count === undefined ? null : Number(count);
}
