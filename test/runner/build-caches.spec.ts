import { execFileSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import yazl from 'yazl';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { BuildBench, type BenchResult, readZip } from '../support/runners/build-bench.js';

/** Says whether installed packages and the cache were there before the installation, then poisons both. */
const INSTALL = `
[ -e node_modules/.kept ] && echo modules >> found
[ -e "$npm_config_cache/kept" ] && echo packages >> found
[ -e node_modules/evil ] && echo evil >> found
[ -e "$npm_config_cache/evil" ] && echo evil >> found
npm install && mkdir -p "$npm_config_cache" node_modules
if [ -n "$EVIL" ]; then touch "$npm_config_cache/evil" node_modules/evil; fi
touch "$npm_config_cache/kept" node_modules/.kept
`;

/** A project with a dependency in a folder of its own, so that it needs no network. */
async function project(dependency = '1.0.0'): Promise<Buffer> {
  const folder = await temporaryFolder();
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'shop',
      version: '1.0.0',
      private: true,
      scripts: { build: '[ -z "$BROKEN" ] && mkdir dist && touch found && cp found dist/index.html' },
      dependencies: { lib: 'file:./lib' },
    }),
    'capawesome.config.json': JSON.stringify({
      cloud: { apps: [{ appId: 'shop', dependencyInstallCommand: INSTALL }] },
    }),
    'lib/package.json': JSON.stringify({ name: 'lib', version: dependency }),
  };
  execFileSync('mkdir', [join(folder, 'lib')]);
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const zip = new yazl.ZipFile();
  for (const path of [...Object.keys(files), 'package-lock.json']) zip.addFile(join(folder, path), path);
  zip.end();
  return buffer(zip.outputStream);
}

async function found(result: BenchResult): Promise<string> {
  expect(result.error).toBeNull();
  return (await readZip(result.files[0]!.path))['index.html'] ?? '';
}

describe('the cache of an app', () => {
  let source: Buffer;
  beforeAll(async () => (source = await project()));

  it('is written by builds of the default branch only, and no other build can poison it', async () => {
    const bench = await BuildBench.create();
    const branch = { source, environment: { EVIL: '1' } };
    expect(await found(await bench.build(branch))).toBe('');
    const first = await bench.build({ source, isDefaultBranch: true });
    expect(await found(first)).toBe('');
    expect(first.log).toContain('The app has no cache yet\n');
    expect(first.log).toMatch(/The cache of the app has \d+ MiB\n/);
    const evil = await bench.build(branch);
    expect(await found(evil)).toBe('modules\npackages\n');
    const second = await bench.build({ source, isDefaultBranch: true });
    expect(await found(second)).toBe('modules\npackages\n');
    expect(second.log).toContain('Found a cache of the app: packages, node_modules\n');
    expect(await found(await bench.build({ source, isDefaultBranch: true, appId: 'other' }))).toBe('');
  });

  it('is not written by builds that fail', async () => {
    const bench = await BuildBench.create();
    const failed = await bench.build({ source, isDefaultBranch: true, environment: { BROKEN: '1' } });
    expect(failed.error).toMatchObject({ step: 'build' });
    const next = await bench.build({ source, isDefaultBranch: true });
    expect(next.log).toContain('The app has no cache yet\n');
  });

  it('can be turned off', async () => {
    const bench = await BuildBench.create();
    const options = { cacheMiB: 0 };
    for (let number = 0; number < 2; number++) {
      const result = await bench.build({ source, isDefaultBranch: true, options });
      expect(await found(result)).toBe('');
      expect(result.log).not.toMatch(/cache of the app|Restoring|Keeping/);
    }
  });
});
