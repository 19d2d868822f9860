import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Copies a folder without changes: links stay links and are not followed. Where the file system can, both share their
 * bytes until one changes; never by hard links, which a build could write through.
 *
 * @param from ends with `/.`: what is in it is copied into `to`, which exists; otherwise `to` does not exist
 * @throws Error when something cannot be copied
 */
export async function copyTree(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const reflink = process.platform === 'linux' ? ['--reflink=auto'] : [];
  await promisify(execFile)('cp', ['-a', ...reflink, '--', from, to], { env: cpEnvironment(), signal });
}

function cpEnvironment(): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return { PATH, LC_ALL: 'C' };
}
