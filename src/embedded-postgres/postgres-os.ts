import { spawn } from 'node:child_process';
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';

/**
 * What a PostgreSQL process inherits of our environment: what starting a program takes, and neither `PG*`,
 * which would change its settings, nor Slipway's secrets.
 */
const INHERITED = /^(PATH|LD_LIBRARY_PATH|NIX_LD.*|SystemRoot|ComSpec|TEMP|TMP)$/i;

/** An OS user that runs PostgreSQL in place of root. */
export interface OsUser {
  uid: number;
  gid: number;
}

/**
 * Finds the OS user `postgres`, and creates it when there is none: PostgreSQL refuses to run as root.
 *
 * @throws Error when it can be neither found nor created.
 */
export async function findPostgresUser(log: (line: string) => void): Promise<OsUser> {
  const find = async (): Promise<OsUser> => ({
    uid: Number(await run('id', ['-u', 'postgres'])),
    gid: Number(await run('id', ['-g', 'postgres'])),
  });
  const found = await find().catch(() => undefined);
  if (found) {
    return found;
  }
  log('PostgreSQL refuses to run as root: creating the OS user "postgres" for it');
  const create =
    'PATH="$PATH:/usr/sbin:/sbin"; groupadd --force --system postgres && useradd --system --gid postgres ' +
    '--home-dir /var/lib/postgresql --no-create-home --shell /usr/sbin/nologin postgres';
  const failure = await run('/bin/sh', ['-c', create]).then(
    () => undefined,
    (error: unknown) => error,
  );
  // Regardless of our attempt: another process may have created it at the same time.
  return find().catch(() => {
    throw new Error(
      'PostgreSQL refuses to run as root, and the OS user "postgres" is missing and could not be created: ' +
        'create it, or start Slipway as another user.',
      { cause: failure },
    );
  });
}

/** Whether a user may use a path, folders above it included; `-x`, `-r` as in test(1). */
export function isAllowed(user: OsUser, access: '-x' | '-r', path: string): Promise<boolean> {
  // Asking the kernel as that user covers access lists and mounts, which mode bits do not show.
  return run('/bin/sh', ['-c', 'test "$1" "$2"', 'sh', access, path], user).then(
    () => true,
    () => false,
  );
}

/**
 * Runs a program to its end, as another OS user if one is given, with no supplementary groups then (libuv
 * clears them). Its folder is the working directory, because that user may not be able to enter ours.
 *
 * @returns what it printed.
 * @throws Error with what it printed, when it cannot be started or fails.
 */
export function run(file: string, args: string[], user?: OsUser): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.test(name)));
    const child = spawn(file, args, {
      ...user,
      cwd: isAbsolute(file) ? dirname(file) : undefined,
      // English messages, and UTC as the time zone that initdb writes down.
      env: { ...env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    const collect = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (cause) => reject(new Error(`Cannot run ${file}: ${cause.message}`, { cause })));
    child.on('close', (code, signal) => {
      if (code === 0) {
        resolve(output);
      } else {
        reject(new Error(`${file} failed (${signal ?? `exit code ${code}`}): ${output.trim()}`));
      }
    });
    child.on('exit', (code) => {
      if (code === 0) {
        // On Windows a server started by pg_ctl holds on to the pipes, so they never close.
        setTimeout(() => [child.stdout, child.stderr].forEach((pipe) => pipe.destroy()), 100).unref();
      }
    });
  });
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Creates a folder beside the target, to be filled and then renamed to it, so that a kill never leaves half of
 * the target. Removes those of processes that were killed.
 */
export async function makeUnfinished(target: string): Promise<string> {
  const prefix = `${basename(target)}.unfinished-`;
  for (const name of await readdir(dirname(target))) {
    if (name.startsWith(prefix) && !isProcessAlive(Number.parseInt(name.slice(prefix.length), 10))) {
      await rm(join(dirname(target), name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
  return mkdtemp(join(dirname(target), `${prefix}${process.pid}-`));
}

/** Whether a process has this id, ours or of another user. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Moves a finished folder to its place, and removes it if another process was first. */
export async function renameUnlessDone(finished: string, target: string): Promise<void> {
  try {
    await rename(finished, target);
  } catch (error) {
    if (!(await exists(target))) {
      throw error;
    }
    await rm(finished, { recursive: true, force: true });
  }
}
