import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this machine has a JDK. */
export const hasKeytool = ((): boolean => {
  try {
    execFileSync('keytool', ['-help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A keystore that `keytool` makes, with one key. @param args such as `-storetype JKS` */
export function keystoreOfKeytool(alias: string, ...args: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'keytool-'));
  const file = join(folder, 'keystore');
  try {
    const usual = [
      '-keyalg',
      'RSA',
      '-keysize',
      '2048',
      '-validity',
      '9000',
      '-dname',
      'CN=Upload, O=Example, C=DE',
    ];
    execFileSync('keytool', ['-genkeypair', '-alias', alias, '-keystore', file, ...usual, ...args], {
      stdio: 'ignore',
    });
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
