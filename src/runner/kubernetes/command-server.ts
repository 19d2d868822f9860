import { spawn } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { constants, setPriority, tmpdir } from 'node:os';
import { once } from 'node:events';
import { frame, type RunEnd, type RunRequest, type SocketRequest } from './command-protocol.js';
import { countOutOfMemory, isFirstProcess, killOthers } from './container-processes.js';

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
