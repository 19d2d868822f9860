import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobFolders } from '../folders/job-folders.js';
import type { BuildCommand, CommandEnd, JobSandbox, Sandbox } from '../sandbox/sandbox.js';
import { openPlainSigning } from '../sandbox/plain-signing.js';
import type { SigningSandbox } from '../sandbox/signing-sandbox.js';
import { FrameReader, type RunEnd, type SocketRequest } from './command-protocol.js';

/** Milliseconds between two attempts to reach the other container. */
const PAUSE = 200;
/** How long killed processes may take to die, in milliseconds. */
const KILL_WITHIN = 20_000;

export interface PodSandboxOptions {
  /** Path of the socket of the command server. */
  readonly socket: string;
  /** How long the other container may take to start, in seconds. */
  readonly startSeconds: number;
  /** Memory that a program may use to sign in this container, in MiB. */
  readonly signingMiB: number;
  /** A folder in memory that only this container has, for keys. */
  readonly keysDir: string;
  /** The npm registry that the operator has set; `null`: none. */
  readonly npmRegistry: string | null;
}

/** Runs commands in the other container of the pod, which has the working copy in common with this one, and no token. */
export class PodSandbox implements Sandbox {
  readonly name = 'pod';
  readonly isSafe = true;

  constructor(private readonly options: PodSandboxOptions) {}

  /** @throws Error when the other container does not start */
  async open(folders: JobFolders): Promise<JobSandbox> {
    const held = await this.hold();
    const { repo, home, cache } = folders;
    return {
      inner: { repo, home, cache },
      npmRegistry: this.options.npmRegistry,
      notes: [
        'The build runs in a pod of its own, in a container without the token of the job.',
        'The NetworkPolicy of the cluster decides which networks it reaches.',
        'The node decides how many processes it may have.',
      ],
      run: (command) => this.run(command, folders, held),
      findClosed: () => Promise.resolve([]),
    };
  }

  /** In this container: the build never sees the key. The network of the pod stays open. */
  openSigning(folders: JobFolders): Promise<SigningSandbox> {
    const { signingMiB, keysDir } = this.options;
    return openPlainSigning(folders, { memoryMiB: signingMiB, keysDir });
  }

  /** Keeps the other container running. The connection lasts as long as this process. */
  private async hold(): Promise<Socket> {
    const until = Date.now() + this.options.startSeconds * 1000;
    for (;;) {
      try {
        const socket = await this.send({ hold: true });
        // A server that answers has understood it.
        await once(socket, 'data', { signal: AbortSignal.timeout(KILL_WITHIN) });
        socket.on('end', () => socket.destroy());
        socket.resume().unref();
        return socket;
      } catch {
        if (Date.now() > until) throw new Error('The build container of the pod did not start.');
        await sleep(PAUSE);
      }
    }
  }

  private async send(request: SocketRequest): Promise<Socket> {
    const socket = connect({ path: this.options.socket, allowHalfOpen: true });
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(`${JSON.stringify(request)}\n`);
    return socket;
  }

  private async run(
    { command, cwd, env, onOutput, signal }: BuildCommand,
    { repo, home }: JobFolders,
    held: Socket,
  ): Promise<CommandEnd> {
    signal.throwIfAborted();
    const folder = resolve(repo, cwd);
    if (folder !== repo && !folder.startsWith(repo + sep)) throw new Error(`${cwd} leaves the working copy.`);
    if (held.destroyed) return LOST;
    const request = { run: { command, cwd: folder, env: { HOME: home, ...env } } };
    const socket = await this.send(request).catch(() => null);
    if (socket === null) return LOST;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      socket.end();
      timer = setTimeout(() => socket.destroy(), KILL_WITHIN);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const end = await readEnd(socket, onOutput);
      signal.throwIfAborted();
      return end === null ? LOST : { exitCode: end.exitCode, limit: end.outOfMemory ? 'memory' : null };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.destroy();
    }
  }
}

/** The container is gone. Its first process dies of nothing else than its limit of memory. */
const LOST: CommandEnd = { exitCode: 137, limit: 'memory' };

/** @returns `null` when the connection broke */
async function readEnd(socket: Socket, onOutput: (chunk: Buffer) => void): Promise<RunEnd | null> {
  const reader = new FrameReader();
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      for (const { type, content } of reader.read(chunk)) {
        if (type === 'o') onOutput(content);
        else if (type === 'e') return parseEnd(content);
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  return null;
}

/** A build can pretend to be the server, so its word is checked. */
function parseEnd(content: Buffer): RunEnd {
  const { exitCode, outOfMemory } = JSON.parse(content.toString()) as Partial<RunEnd>;
  const isCode = Number.isInteger(exitCode) && Number(exitCode) >= 0 && Number(exitCode) <= 255;
  return { exitCode: isCode ? Number(exitCode) : 1, outOfMemory: outOfMemory === true };
}
