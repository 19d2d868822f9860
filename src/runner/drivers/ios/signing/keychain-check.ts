import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../../../sandbox/check.js';
import { KEYCHAIN_FILE, makeKeychain, randomPassword } from './keychain/keychain.js';
import { SecurityTool, type SigningTools } from './keychain/security-tool.js';
import { countJobs, jobsIn, makeSigningDir, removeJob, removeJobs } from './leftovers.js';
import { tryLockSigning } from './signing-lock.js';

const name = 'Keychain';

/** Checks that a keychain can be made, unlocked and deleted, and removes what killed builds have left. */
export async function keychainCheck(signingDir: string, tools: SigningTools): Promise<Check> {
  try {
    const dir = await makeSigningDir(signingDir);
    const unlock = await tryLockSigning(dir);
    if (unlock === null) return { name, status: 'ok', message: 'A build signs at this moment: not checked.' };
    try {
      return await check(new SecurityTool(tools), dir);
    } finally {
      await unlock();
    }
  } catch (error) {
    return { name, status: 'failed', message: (error as Error).message };
  }
}

async function check(security: SecurityTool, signingDir: string): Promise<Check> {
  const left = await countJobs(signingDir);
  const problems = await removeJobs(security, signingDir);
  const folder = join(jobsIn(signingDir), randomUUID());
  try {
    await mkdir(folder, { mode: 0o700 });
    const { signal } = new AbortController();
    await makeKeychain(security, join(folder, KEYCHAIN_FILE), randomPassword(), signal);
  } finally {
    problems.push(...(await removeJob(security, signingDir, folder)));
  }
  if (problems.length > 0) return { name, status: 'warning', message: problems.join(' ') };
  const removed = left === 0 ? '' : ` What ${left} killed builds left was removed.`;
  return { name, status: 'ok', message: `A keychain can be made, unlocked and deleted.${removed}` };
}
