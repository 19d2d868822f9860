import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, PackedPackage } from './static-registry.js';

/** What was fetched stays here until `npm ci`. */
const CACHE = join(import.meta.dirname, '../../../../node_modules/.cache/package-managers');

/**
 * Packages as the registry has them that npm uses on this machine. Each is fetched once.
 *
 * @param specs exact versions, such as `pnpm@9.15.9`
 */
export function packagesOfMachine(specs: readonly string[]): PackedPackage[] {
  mkdirSync(CACHE, { recursive: true });
  const missing = specs.filter((spec) => !existsSync(join(CACHE, fileOf(spec))));
  if (missing.length > 0) {
    // Not in place: another spec file may do the same.
    const folder = mkdtempSync(join(CACHE, 'new-'));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...missing], { stdio: 'pipe' });
    for (const spec of missing) renameSync(join(folder, fileOf(spec)), join(CACHE, fileOf(spec)));
    rmSync(folder, { recursive: true });
  }
  return specs.map((spec) => ({
    manifest: JSON.parse(fileInPackage(spec, 'package.json').toString()) as Manifest,
    archive: readFileSync(join(CACHE, fileOf(spec))),
  }));
}

/** A file of a package that `packagesOfMachine` has fetched. */
export function fileInPackage(spec: string, path: string): Buffer {
  const options = { maxBuffer: 64 * 1024 ** 2 };
  return execFileSync('tar', ['-xzOf', join(CACHE, fileOf(spec)), `package/${path}`], options);
}

/** As `npm pack` names it. */
function fileOf(spec: string): string {
  return `${spec.replace(/^@/, '').replace('/', '-').replace('@', '-')}.tgz`;
}
