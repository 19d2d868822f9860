import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Duplex, Readable, Writable } from 'node:stream';
import { SYSTEM_ENVIRONMENT } from '../system-programs.js';

type Descriptor = Extract<StdioOptions, unknown[]>[number];

/** `O_CLOEXEC`: the descriptor does not reach other programs. */
const CLOSE_ON_EXEC = 0o2000000;
/** Descriptors of the programs that make a sandbox. */
const OPTIONS_FD = 3;
const STATUS_FD = 4;
const SECCOMP_FD = 5;
const LIFE_FD = 6;
/** Descriptors of the files that only one command gets, from this one on. */
export const FIRST_FILE_FD = 7;

/**
 * The least priority of an ordinary process, and the first to be killed when the machine has no memory left. It dies with
 * the runner.
 */
const LOW_PRIORITY = ['-n', '10', 'ionice', '-c', '2', '-n', '7', 'setpriv', '--pdeathsig', 'KILL'];
const CHOSEN_FIRST = 'echo 1000 >/proc/self/oom_score_adj';
/**
 * Once more, because the user namespace has undone it. A runner that was killed before cannot be noticed by a signal: then
 * the process has another parent.
 */
const ENTER = `exec setpriv --pdeathsig KILL sh -c 'test "$PPID" = ${process.pid} && exec bwrap --args ${OPTIONS_FD} "$@"' sh "$@" </dev/null`;

/**
 * The first process of a sandbox. bubblewrap lets it die with its parent only at the end of its preparations, so it asks
 * whether the runner still lives before it begins. A program that cannot be a first process, such as npm, is its child. Both
 * streams are one pipe.
 */
const FIRST_PROCESS = [
  '/bin/sh',
  '-c',
  `echo >&${LIFE_FD}; read -r go <&${LIFE_FD} || exit 1; exec 2>&1 ${LIFE_FD}>&-; "$@"; exit $?`,
  'sh',
];

/** Puts itself and all that it starts into a control group. */
const IN_GROUP = ['sh', '-c', 'echo $$ >"$1" && shift && exec "$@"', 'sh'];

/** Shares the network of the machine, or gets none from bubblewrap. */
const FETCH = ['sh', '-c', `${CHOSEN_FIRST}; ${ENTER}`, 'sh'];

/**
 * Makes a user and a network namespace, waits until the network is connected, and sets its routes. Then a second user
 * namespace, that of bubblewrap, leaves the build without any right over them. Without a first line from the runner, it
 * ends.
 */
const BUILD = [
  'unshare',
  '--user',
  '--map-root-user',
  '--net',
  '--',
  'sh',
  '-ec',
  [
    CHOSEN_FIRST,
    `echo '{"ready":true}' >&${STATUS_FD}`,
    'read -r go; test "$go" = go',
    'ip -6 address flush dev tap0 2>/dev/null || true',
    'ip -batch -',
    ENTER,
  ].join('\n'),
  'sh',
];

/** The network of a command; `none`: there is not even another process on its loopback. */
export type SandboxNetwork = 'build' | 'fetch' | 'none';

/** What a sandbox is started with. */
export interface Start {
  readonly network: SandboxNetwork;
  /** What the descriptors from `FIRST_FILE_FD` on deliver. */
  readonly files: readonly Uint8Array[];
  /** Options of bubblewrap. They go by a pipe, because the list of processes shows arguments, and these hold secrets. */
  readonly options: readonly string[];
  readonly command: readonly string[];
  /** Options of prlimit for it. */
  readonly kernelLimits: readonly string[];
  /** The file with the filter of system calls. */
  readonly seccomp: string | null;
  /** `cgroup.procs` of the control group of the command; `null`: that of the runner. */
  readonly group: string | null;
  /** For what the command prints. */
  readonly outputFd: number;
}

/** The programs that make a sandbox, as they run. */
export interface Started {
  readonly child: ChildProcess;
  /** Fulfilled when the namespaces of `build` exist; with `false` if they cannot be made. */
  readonly namespaces: Promise<boolean>;
  /** The first process of the sandbox, as the machine sees it. Fulfilled with `null` if it never began. */
  readonly init: Promise<number | null>;
  /** Fulfilled when the programs have ended and everything they said is read. */
  readonly end: Promise<StartEnd>;
  /** Lets bubblewrap begin after the network is connected. @param routes lines for `ip -batch` */
  enter(routes: readonly string[]): void;
}

export interface StartEnd {
  /** The exit code of the command; `null`: something else ended the sandbox, or it never began. */
  readonly exitCode: number | null;
  /** What the programs that make the sandbox printed. */
  readonly messages: string;
}

/** Starts the programs. `build` waits for `enter`. */
export async function start({
  network,
  files,
  options,
  command,
  kernelLimits,
  seccomp,
  group,
  outputFd,
}: Start): Promise<Started> {
  const nothing = await open('/dev/null');
  const filter = seccomp === null ? null : await open(seccomp);
  const filterOptions = filter === null ? [] : ['--seccomp', String(SECCOMP_FD)];
  const networkOptions = network === 'none' ? ['--unshare-net'] : [];
  const inside = ['/usr/bin/prlimit', ...kernelLimits, '--', ...FIRST_PROCESS, ...command];
  const all = ['nice', ...LOW_PRIORITY, ...(network === 'build' ? BUILD : FETCH), '--', ...inside];
  const [program = '', ...args] = group === null ? all : [...IN_GROUP, group, ...all];
  const child = spawn(program, args, {
    env: SYSTEM_ENVIRONMENT,
    cwd: '/',
    stdio: withoutInherited(
      [
        'pipe',
        outputFd,
        'pipe',
        'pipe',
        'pipe',
        filter?.fd ?? nothing.fd,
        'pipe',
        ...files.map(() => 'pipe' as const),
      ],
      nothing.fd,
    ),
  });
  const closed = once(child, 'close').then(() => undefined);
  await Promise.all([filter?.close(), nothing.close()]);
  child.stdin?.on('error', () => undefined);
  const life = (child.stdio as readonly unknown[])[LIFE_FD] as Duplex;
  life.on('error', () => undefined).once('data', () => life.end('go\n'));
  const allOptions = [...options, '--json-status-fd', String(STATUS_FD), ...networkOptions, ...filterOptions];
  send(child, OPTIONS_FD, allOptions.map((text) => `${text}\0`).join(''));
  files.forEach((content, index) => send(child, FIRST_FILE_FD + index, content));

  const status = readStatus(child.stdio[STATUS_FD] as Readable);
  const messages = readMessages(child.stderr);
  const ended = <T>(value: T) => closed.then(() => value);
  return {
    child,
    namespaces: Promise.race([status.ready, ended(false)]),
    init: Promise.race([status.init, ended(null)]),
    end: closed.then(() => ({ exitCode: status.exitCode(), messages: messages() })),
    enter: (routes) => child.stdin?.end(['go', ...routes, ''].join('\n')),
  };
}

/** Writes to a descriptor of the programs, which may have ended. */
function send({ stdio }: ChildProcess, fd: number, content: string | Uint8Array): void {
  const pipe = (stdio as readonly unknown[])[fd] as Writable;
  pipe.on('error', () => undefined);
  pipe.end(content);
}

/**
 * Hides files that the runner got from its own parent and that every child would get, too.
 *
 * @param nothing replaces them
 */
function withoutInherited(stdio: readonly Descriptor[], nothing: number): Descriptor[] {
  const all: Descriptor[] = [...stdio];
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd >= stdio.length && isInherited(fd)) all[fd] = nothing;
  }
  return Array.from(all, (value) => value ?? 'ignore');
}

function isInherited(fd: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}

/** Reads the lines of `--json-status-fd` of bubblewrap, and that of the script before it. */
function readStatus(stream: Readable) {
  let exitCode: number | null = null;
  let rest = '';
  const ready = Promise.withResolvers<true>();
  const init = Promise.withResolvers<number>();
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const values = JSON.parse(line) as Record<string, unknown>;
      if (values['ready'] === true) ready.resolve(true);
      if (typeof values['child-pid'] === 'number') init.resolve(values['child-pid']);
      if (typeof values['exit-code'] === 'number') exitCode = values['exit-code'];
    }
  });
  return { ready: ready.promise, init: init.promise, exitCode: () => exitCode };
}

/** What the programs that make the sandbox print, at most 4,000 characters of it. */
function readMessages(stream: Readable | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    if (text.length < 4000) text += chunk.toString();
  });
  return () => text.trim();
}
