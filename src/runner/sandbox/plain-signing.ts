import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../folders/remove-folder.js';
import { runAlone } from './run-alone.js';
import type { JobFolders } from '../folders/job-folders.js';
import type { CommandEnd } from './sandbox.js';
import { makeSigningFolders } from './signing-folders.js';
import type { SigningCommand, SigningSandbox } from './signing-sandbox.js';

/** What signs without a separate sandbox. */
export interface PlainSigningOptions {
  readonly memoryMiB: number;
  /** Where keys are while a command runs; `null`: in the folder of the job. */
  readonly keysDir: string | null;
}

/**
 * Signs with ordinary processes of the runner: in a pod, whose build is in another container, and where builds have no
 * sandbox, either.
 */
export async function openPlainSigning(
  { root }: JobFolders,
  { memoryMiB, keysDir }: PlainSigningOptions,
): Promise<SigningSandbox> {
  const own = await makeSigningFolders(root);
  const keys = join(keysDir ?? own.root, 'keys');
  return {
    folder: own.repo,
    inner: { folder: own.repo, keys },
    memoryMiB,
    run: (command) => withKeys(keys, command, () => runCommand(own, command)),
    close: async () => {
      await removeFolder(keys);
      await removeFolder(own.root);
    },
  };
}

async function runCommand(own: JobFolders, command: SigningCommand): Promise<CommandEnd> {
  return runAlone(own, own.home, { ...command, cwd: '', network: 'build' });
}

async function withKeys<R>(folder: string, { keys }: SigningCommand, work: () => Promise<R>): Promise<R> {
  try {
    await mkdir(folder, { mode: 0o700 });
    for (const [name, bytes] of Object.entries(keys)) {
      await writeFile(join(folder, name), bytes, { mode: 0o600 });
    }
    return await work();
  } finally {
    await removeFolder(folder);
  }
}
