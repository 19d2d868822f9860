import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENCRYPTION_KEY } from '../test/setup/server.ts';
import { withRemoval } from './removal.ts';

/** A built server. */
export interface Build {
  /** The commit as it was asked for. */
  readonly name: string;
  /** Its program and the options of Node.js that it ships with. */
  readonly program: string;
  readonly nodeOptions: readonly string[];
  /** Migrates a database to its schema. */
  migrate(databaseUrl: string): Promise<void>;
}

const ROOT = join(import.meta.dirname, '..');
/** The command behind `node` at the end of a script. */
const NODE_COMMAND = /(?:^|\s)node ([^&]+)$/;

/**
 * Builds a commit of this repository in a worktree, with its own packages, and removes the worktree again, also when the
 * process is interrupted.
 *
 * @throws Error when there is no such commit, or it cannot be built
 */
export async function withBuildOf(commit: string, work: (build: Build) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-commit-'));
  const worktree = join(folder, 'worktree');
  let running: ChildProcess | undefined;
  const run = async (cwd: string, command: string, ...args: string[]): Promise<void> => {
    running = start(cwd, command, args);
    const [code] = (await once(running, 'exit')) as [number | null];
    running = undefined;
    if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code} for ${commit}.`);
  };
  const remove = async (): Promise<void> => {
    if (running !== undefined) await stop(running);
    // It is not there when the commit is unknown.
    await run(ROOT, 'git', 'worktree', 'remove', '--force', worktree).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  await withRemoval(remove, async () => {
    console.log(`Building ${commit} …`);
    await run(ROOT, 'git', 'worktree', 'add', '--quiet', '--detach', worktree, commit);
    await run(worktree, 'npm', 'ci', '--prefer-offline');
    await run(worktree, 'npm', 'run', '--silent', 'build');
    const { scripts, bin } = JSON.parse(await readFile(join(worktree, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
      bin?: { readonly slipway: string };
    };
    const words = wordsOf(scripts['start']);
    // Early commits have no such entry, and a program of its own for migrations.
    const program = bin?.slipway ?? words.at(-1) ?? '';
    const migration = scripts['migration:run:prod'];
    const migrate = migration === undefined ? [program, 'migrate'] : wordsOf(migration);
    await work({
      name: commit,
      program: join(worktree, program),
      nodeOptions: words.slice(0, -1),
      migrate: async (databaseUrl) => {
        const env = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY };
        const child = start(worktree, process.execPath, migrate, env);
        const [code] = (await once(child, 'exit')) as [number | null];
        if (code !== 0) throw new Error(`The migrations of ${commit} ended with ${code}.`);
      },
    });
  });
}

/** The arguments of Node.js in a script. */
function wordsOf(script: string | undefined): string[] {
  return (
    NODE_COMMAND.exec(script ?? '')?.[1]
      ?.trim()
      .split(' ') ?? []
  );
}

/** In a process group of its own, so that it can be stopped with all that it has started. */
function start(cwd: string, command: string, args: readonly string[], env: object = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return spawn(command, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    detached: true,
    // Standard output is for the tables.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}
