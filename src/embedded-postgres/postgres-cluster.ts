import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  loadPostgresBinaries,
  makeSharedFolder,
  type PostgresBinaries,
  SHARED_FOLDER,
  shareBinaries,
} from './postgres-binaries.js';
import {
  exists,
  findPostgresUser,
  isAllowed,
  isProcessAlive,
  makeUnfinished,
  type OsUser,
  renameUnlessDone,
  run,
} from './postgres-os.js';

/** The superuser of the cluster. */
export const POSTGRES_USER = 'slipway';

/** Kept inside the cluster, so that the two appear in one rename and never part. */
const PASSWORD_FILE = 'slipway.password';

/** What the first start writes to `dataDir` after the database: without any, that start was killed. */
const WRITTEN_LATER = ['encryption-key', 'token'];

/** An initialized PostgreSQL data folder with the programs for it, running or not. */
export interface PostgresCluster {
  folder: string;
  password: string;
  binaries: PostgresBinaries;
  /** Runs the programs when we are root. */
  osUser: OsUser | undefined;
}

/** What `postmaster.pid` says about a server that is alive. */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/**
 * Opens the cluster `<dataDir>/postgres`, and creates it when there is none.
 *
 * When we are root, the cluster belongs to the OS user `postgres`, or to the user who owns it already. A
 * `dataDir` that this user cannot reach holds a link to the cluster, which is then kept in
 * {@link SHARED_FOLDER}. Removing `<dataDir>/postgres` means a new database in both cases.
 *
 * @throws Error when the programs are missing, fail, the folder belongs to another user, or a link leads to a cluster
 *   that is missing.
 */
export async function openCluster(
  dataDir: string,
  { sync, log }: { sync: boolean; log: (line: string) => void },
): Promise<PostgresCluster> {
  let binaries = await loadPostgresBinaries();
  await mkdir(dataDir, { recursive: true });
  let folder = join(dataDir, 'postgres');
  let osUser: OsUser | undefined;
  if (process.getuid?.() === 0) {
    osUser = (await findOwner(folder)) ?? (await findPostgresUser(log));
    binaries = await shareBinaries(binaries, osUser, log);
    folder = await placeForUser(dataDir, osUser, binaries, log);
  }
  if (!(await exists(folder))) {
    log(`Creating a PostgreSQL database cluster in ${folder}`);
    await initialize(folder, binaries, osUser, sync);
  }
  const password = await readPassword(folder);
  return { folder, password, binaries, osUser };
}

/**
 * Removes what {@link openCluster} created for a `dataDir`, also what lies outside of it. Nothing there is fine. Tests
 * call this before they remove the folder itself.
 *
 * @throws Error when its server is running.
 */
export async function removeCluster(dataDir: string): Promise<void> {
  const folder = join(resolve(dataDir), 'postgres');
  const postmaster = await readPostmaster(folder);
  if (postmaster) {
    throw new Error(
      `PostgreSQL (process ${postmaster.pid}) is running on ${folder}: stop it before removing it.`,
    );
  }
  const target = await readlink(folder).catch(() => undefined);
  if (target && isShared(target)) {
    await rm(dirname(target), { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
  await rm(sharedFolderOf(dataDir), { recursive: true, force: true });
}

/** Reads `postmaster.pid`; undefined when there is none or it is a leftover. */
export async function readPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  // The lines: pid, data folder, start time, port, socket folder, address, shared memory, state.
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!pid || !isProcessAlive(pid) || !(await isPostgres(pid))) {
    return undefined;
  }
  return { pid, port: Number(lines[3]), ready: lines[7] === 'ready' };
}

/**
 * Removes a `postmaster.pid` that PostgreSQL would take for that of a running server, because its process id now
 * belongs to another program, as happens when a container restarts, or to a dead process that its parent has not
 * collected, as happens in a container without an init process.
 */
export async function removeMisleadingPidFile(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (pid && isProcessAlive(pid) && !(await isPostgres(pid))) {
    await rm(file, { force: true });
  }
}

/** Whether an existing process is a PostgreSQL that runs; also true where that is unknown. */
async function isPostgres(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // "<pid> (<name>) <state>", where Z is a zombie.
  return text === undefined || /^\d+ \(postgres\) [^ZX]/.test(text);
}

/** The unprivileged owner of an existing cluster, which stays its owner when root starts Slipway once. */
async function findOwner(folder: string): Promise<OsUser | undefined> {
  const stats = await stat(folder).catch(() => undefined);
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

/** Root only: where the cluster of a `dataDir` is or will be, reachable for the user that runs it. */
async function placeForUser(
  dataDir: string,
  user: OsUser,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<string> {
  const local = join(dataDir, 'postgres');
  if (!(await isLink(local))) {
    if (await isAllowed(user, '-x', dataDir)) {
      if ((await stat(local).catch(() => undefined))?.uid === 0) {
        // A backup restored by root, for example.
        await run('chown', ['-R', `${user.uid}:${user.gid}`, local]);
      }
      return local;
    }
    if (await exists(local)) {
      throw new Error(
        `The OS user of PostgreSQL (uid ${user.uid}) cannot reach ${local}: let it enter the folders above.`,
      );
    }
    const shared = join(sharedFolderOf(dataDir), 'postgres');
    log(`The OS user of PostgreSQL cannot reach ${dataDir}: keeping the database in ${shared}`);
    await linkToShared(local, shared, binaries, user);
  } else await requireTarget(dataDir, local);
  const folder = resolve(dataDir, await readlink(local));
  if (isShared(folder)) {
    await makeSharedFolder();
    await mkdir(dirname(folder), { recursive: true });
    await chmod(dirname(folder), 0o755);
  }
  return folder;
}

/** @throws Error when a link leads nowhere in a `dataDir` that had a database: an empty one would look like a loss */
async function requireTarget(dataDir: string, local: string): Promise<void> {
  const later = await Promise.all(WRITTEN_LATER.map((name) => exists(join(dataDir, name))));
  if (!later.includes(true) || (await exists(local))) return;
  throw new Error(
    `The database of ${dataDir} is missing: ${local} leads to ${await readlink(local)}. Copy it from the machine that ` +
      'it was on, or remove the link to begin with an empty database.',
  );
}

async function linkToShared(
  local: string,
  shared: string,
  binaries: PostgresBinaries,
  user: OsUser,
): Promise<void> {
  if ((await exists(shared)) && !(await isLink(local))) {
    // No link leads to it: it belonged to a DATA_DIR at this path that has been removed since.
    await run(binaries.pgCtl, ['stop', '-m', 'immediate', '-w', '-D', shared], user).catch(() => undefined);
    await rm(shared, { recursive: true, force: true });
  }
  await symlink(shared, local).catch(async (error: unknown) => {
    // Another process may have made the same link in the meantime.
    if (!(await isLink(local))) {
      throw error;
    }
  });
}

/** Runs initdb in a separate folder, which takes the final name when it is complete. */
async function initialize(
  folder: string,
  binaries: PostgresBinaries,
  user: OsUser | undefined,
  sync: boolean,
): Promise<void> {
  const unfinished = await makeUnfinished(folder);
  const data = join(unfinished, 'data');
  const passwordFile = join(unfinished, PASSWORD_FILE);
  // Hexadecimal needs no escaping in a URL.
  await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (user) {
    await chown(passwordFile, user.uid, user.gid);
    await chown(unfinished, user.uid, user.gid);
  }
  try {
    const args = [
      `--pgdata=${data}`,
      `--username=${POSTGRES_USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // Sorts by code point everywhere, and knows upper and lower case beyond ASCII.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ];
    await run(binaries.initdb, sync ? args : [...args, '--no-sync'], user);
    await rename(passwordFile, join(data, PASSWORD_FILE));
    await renameUnlessDone(data, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function readPassword(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, PASSWORD_FILE), 'utf8');
  } catch (cause) {
    throw new Error(
      `Cannot read ${join(folder, PASSWORD_FILE)}: start Slipway as the user who owns the folder, ` +
        'or remove the folder to begin with an empty database.',
      { cause },
    );
  }
}

/** A folder outside of `dataDir` that is its own. */
function sharedFolderOf(dataDir: string): string {
  return join(SHARED_FOLDER, createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12));
}

function isShared(path: string): boolean {
  return path.startsWith(`${SHARED_FOLDER}/`);
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
}
