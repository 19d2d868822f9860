import { access, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../../folders/remove-folder.js';
import { removeProfiles } from './installed-profiles.js';
import { KEY_FILE, KEYCHAIN_FILE } from './keychain/keychain.js';
import { readSearchList, withoutFolder, writeSearchList } from './keychain/search-list.js';
import { SecurityTool, type SigningTools } from './keychain/security-tool.js';
import { tryLockSigning } from './signing-lock.js';

export type { SigningTools } from './keychain/security-tool.js';

/** What cleans up continues when the job has been canceled. Each call has its own deadline. */
const NEVER = new AbortController().signal;

/** Makes the folder for what signing leaves while it runs. @returns its path, without links, as macOS prints it */
export async function makeSigningDir(signingDir: string): Promise<string> {
  await mkdir(jobsIn(signingDir), { recursive: true, mode: 0o700 });
  return realpath(signingDir);
}

/** Has a folder for each job that signs. Each is made before anything else is, and removed last. */
export function jobsIn(signingDir: string): string {
  return join(signingDir, 'jobs');
}

/**
 * Removes what killed builds have left: keychains, also from the search list, profiles and keys. Does nothing while another
 * build signs.
 *
 * @returns what could not be removed, one sentence each
 */
export async function sweepSigning(signingDir: string, tools: SigningTools): Promise<readonly string[]> {
  if ((await countJobs(signingDir)) === 0) return [];
  try {
    const dir = await makeSigningDir(signingDir);
    const unlock = await tryLockSigning(dir);
    if (unlock === null) return [];
    try {
      return await removeJobs(new SecurityTool(tools), dir);
    } finally {
      await unlock();
    }
  } catch (error) {
    return [`What builds have left for signing could not be removed: ${(error as Error).message}.`];
  }
}

/**
 * Removes what all jobs have left. The caller has the lock: none of them runs.
 *
 * @returns what could not be removed
 */
export async function removeJobs(security: SecurityTool, signingDir: string): Promise<string[]> {
  const problems: string[] = [];
  for (const name of await namesIn(jobsIn(signingDir))) {
    problems.push(...(await removeJob(security, signingDir, join(jobsIn(signingDir), name))));
  }
  return problems;
}

/**
 * Removes what a job has left. What fails is tried again later: then its folder stays.
 *
 * @returns what could not be removed
 */
export async function removeJob(
  security: SecurityTool,
  signingDir: string,
  folder: string,
): Promise<string[]> {
  const problems: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch {
      problems.push(`After signing, ${what}: the next build that signs tries it again.`);
    }
  };
  await attempt('the file with the key could not be removed', () =>
    rm(join(folder, KEY_FILE), { force: true }),
  );
  await attempt('the provisioning profiles could not be removed', () => removeProfiles(folder));
  await attempt('the search list of keychains could not be restored', () =>
    leaveSearchList(security, signingDir),
  );
  await attempt('the keychain could not be deleted', () => deleteKeychain(security, folder));
  if (problems.length === 0) await attempt('its folder could not be removed', () => removeFolder(folder));
  return problems;
}

/** The user may have changed the list in the meantime: only what is of builds is taken out. */
async function leaveSearchList(security: SecurityTool, signingDir: string): Promise<void> {
  // Without the program there was no keychain.
  if (!(await security.isThere())) return;
  const paths = await readSearchList(security, NEVER);
  const others = withoutFolder(paths, signingDir);
  if (others.length < paths.length) await writeSearchList(security, others, NEVER);
}

async function deleteKeychain(security: SecurityTool, folder: string): Promise<void> {
  const path = join(folder, KEYCHAIN_FILE);
  try {
    if ((await isThere(path)) && (await security.isThere()))
      await security.run(['delete-keychain', path], NEVER);
  } finally {
    // `security` also fails when the keychain is only half made.
    await rm(path, { force: true });
  }
}

/** How many jobs sign, or have left something. */
export async function countJobs(signingDir: string): Promise<number> {
  return (await namesIn(jobsIn(signingDir))).length;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
