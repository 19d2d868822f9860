import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { withBuildLock } from './build-lock.ts';

/*
 * `npm run build:console`: builds the console to `dist/console`, unless it already holds the build of these sources. A
 * change of the server does not build it, and a change of the console does not build the server. `--force` builds in any
 * case.
 */
const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/console');

/** Beside the folder, which Vite empties. Written last, so a build that failed or was killed does not count. */
const stamp = join(root, 'dist/.console-built');

const SOURCES = [
  'console/src/**/*.{ts,tsx,css,svg}',
  'console/{index.html,package.json,vite.config.ts}',
  'scripts/build-console.ts',
  'package-lock.json',
];
/** What browsers get; larger files are encoded once, here. */
const ENCODED = /\.(js|css|svg)$/;

/** Licences of what browsers get. All let Slipway pass the code on, with their text: `licenses.md` has it. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    // Types of the API leave no trace in what is built.
    if (path.endsWith('schema.ts')) continue;
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function isBuilt(sources: string): boolean {
  if (process.argv.includes('--force') || !existsSync(join(target, 'index.html'))) return false;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
}

async function buildFrom(sources: string): Promise<void> {
  console.error('Building the console …');
  const start = performance.now();
  rmSync(stamp, { force: true });
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const building = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'console'),
    // Standard output belongs to the command that follows.
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(building, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The console could not be built.');
  checkLicenses();
  encode(join(target, 'files'));
  writeFileSync(`${stamp}.new`, sources);
  renameSync(`${stamp}.new`, stamp);
  console.error(`Built the console in ${((performance.now() - start) / 1000).toFixed(1)} s.`);
}

/** @throws Error that names the packages whose licence is none of `PERMISSIVE` */
function checkLicenses(): void {
  const list = readFileSync(join(target, 'licenses.md'), 'utf8');
  const packages = [...list.matchAll(/^## (\S+ - \d\S*)(?: \((.+)\))?$/gm)];
  if (packages.length === 0) throw new Error('licenses.md names no package.');
  const refused = packages.filter(([, , license = '']) => !PERMISSIVE.includes(license));
  if (refused.length > 0) {
    const names = refused.map(([, name, license = 'none']) => `${name} (${license})`).join(', ');
    throw new Error(`The console contains packages without a permissive licence: ${names}.`);
  }
}

/** Writes each file in the encodings of browsers beside it, so that the server only sends it. */
function encode(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => ENCODED.test(file))) {
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
  }
}

const sources = fingerprint();
if (!isBuilt(sources)) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  try {
    // Another command may have built while this one waited.
    await withBuildLock(join(root, 'dist/.building-console'), () =>
      isBuilt(sources) ? Promise.resolve() : buildFrom(sources),
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
