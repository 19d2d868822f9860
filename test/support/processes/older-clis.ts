import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = join(import.meta.dirname, '../../clients/older-clis');

/** Installs the older versions of the command-line tool beside this repository's own, unless they are there. */
export async function installOlderClis(): Promise<void> {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  // Their installation scripts are for crash reports.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', ['ci', ...options], { cwd: folder });
}

/** The module that starts a version. @param version such as `4.8.0` */
export function olderCli(version: string): string {
  return join(folder, `node_modules/cli-${version}/dist/index.js`);
}
