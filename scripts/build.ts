import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';

/*
 * `npm run build`: compiles and bundles, unless `dist` already holds the build of these sources. Every command that needs
 * a build calls this first. `--force` builds in any case.
 */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Holds the fingerprint of the sources. Written last, so a build that failed or was killed does not count. */
const stamp = join(dist, '.built');

const SOURCES = [
  'src/**/*.{ts,css,svg,sql}',
  'migrations/*.{ts,sql}',
  'scripts/{build,bundle,compile}.ts',
  '{nest-cli,tsconfig*}.json',
  'package-lock.json',
];

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    if (path.endsWith('.spec.ts')) continue;
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function isBuilt(sources: string): boolean {
  if (process.argv.includes('--force') || !existsSync(join(dist, 'slipway.js'))) return false;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
}

async function buildFrom(sources: string): Promise<void> {
  // Standard output belongs to the command that follows.
  console.error('Building …');
  const start = performance.now();
  rmSync(stamp, { force: true });
  const { compile } = await import('./compile.ts');
  await compile();
  const { bundle } = await import('./bundle.ts');
  await bundle();
  writeFileSync(`${stamp}.new`, sources);
  renameSync(`${stamp}.new`, stamp);
  console.error(`Built in ${((performance.now() - start) / 1000).toFixed(1)} s.`);
}

const sources = fingerprint();
if (!isBuilt(sources)) {
  mkdirSync(dist, { recursive: true });
  try {
    // Another command may have built while this one waited.
    await withBuildLock(join(dist, '.building'), () =>
      isBuilt(sources) ? Promise.resolve() : buildFrom(sources),
    );
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    console.error(error instanceof Error ? error.message : error);
    if (isMissing) console.error('Run "npm ci" first.');
    process.exit(1);
  }
}
