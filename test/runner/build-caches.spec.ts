import { execFileSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import yazl from 'yazl';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { createAndroidBench } from '../support/runners/android/android-bench.js';
import { BuildBench, type BenchResult, readZip } from '../support/runners/build-bench.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';

/** Says whether installed packages and the cache were there before the installation, then poisons both. */
const INSTALL = `
[ -e node_modules/.kept ] && echo modules >> found
[ -e "$npm_config_cache/_cacache/kept" ] && echo packages >> found
[ -e node_modules/evil ] && echo evil >> found
[ -e "$npm_config_cache/evil" ] && echo evil >> found
npm install && mkdir -p "$npm_config_cache/_cacache" node_modules
if [ -e evil ]; then touch "$npm_config_cache/evil" node_modules/evil; fi
touch "$npm_config_cache/_cacache/kept" node_modules/.kept
`;

/** A project with a dependency in a folder of its own, so that it needs no network. */
async function project(
  dependency = '1.0.0',
  dependencyInstallCommand = INSTALL,
  more: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
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
      cloud: { apps: [{ appId: 'shop', dependencyInstallCommand }] },
    }),
    'lib/package.json': JSON.stringify({ name: 'lib', version: dependency }),
    ...more,
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
    const branch = { source: await project('1.0.0', INSTALL, { evil: '' }) };
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

  it('is not kept again while the lock file is the same', async () => {
    const bench = await BuildBench.create();
    await bench.build({ source, isDefaultBranch: true });
    const versions = async (): Promise<string[][]> =>
      Promise.all(
        ['packages', 'node_modules'].map((part) => readdir(join(bench.cacheDir, 'shop-none', part))),
      );
    const before = await versions();
    const same = await bench.build({ source, isDefaultBranch: true });
    expect(same.log).toContain('The cache of the app is up to date\n');
    expect(await versions()).toEqual(before);
    const changed = await bench.build({ source: await project('1.0.1'), isDefaultBranch: true });
    expect(changed.log).toContain('Found a cache of the app: packages\n');
    const after = await versions();
    expect(after.map((names) => names.length)).toEqual([1, 1]);
    expect(after).not.toEqual(before);
  });

  it('is pruned to what an app may have', async () => {
    const bench = await BuildBench.create();
    const large = `
      [ -e "$npm_config_cache/_cacache/new" ] && echo new >> found
      [ -e "$npm_config_cache/_cacache/old" ] && echo old >> found
      mkdir -p "$npm_config_cache/_cacache"
      head -c 700000 /dev/zero > "$npm_config_cache/_cacache/new"
      head -c 700000 /dev/zero > "$npm_config_cache/_cacache/old"
      touch -d '3 days ago' "$npm_config_cache/_cacache/old"`;
    const build = { source: await project('1.0.0', large), isDefaultBranch: true, options: { cacheMiB: 1 } };
    const first = await bench.build(build);
    expect(await found(first)).toBe('');
    expect(first.log).toMatch(/Removed 1 MiB of packages that were not used for longest from the cache/);
    expect(await found(await bench.build(build))).toBe('new\n');
  });

  it('leaves the part of Gradle alone in web builds', async () => {
    const bench = await BuildBench.create();
    const jar = 'gradle/1700000000000-0198f2c4-6f3a-7c55-9d0e-3f1b2a4c5d6e/content/caches/modules-2/lib.jar';
    const path = join(bench.cacheDir, 'shop-none', jar);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'jar');
    const script = '[ -e "$npm_config_cache/../../gradle" ] && echo gradle >> found; true';
    const build = { source: await project('1.0.0', script), isDefaultBranch: true };
    expect(await found(await bench.build(build))).toBe('');
    expect(await readFile(path, 'utf8')).toBe('jar');
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

/** A tool that caches wrongly: what it made once, it makes again, whatever it is asked for. */
const MAKE_WRONGLY = `#!/bin/sh
for cache in node_modules/.cache/tool node_modules/.vite/deps node_modules/lib/tool "$npm_config_cache/tool"; do
  [ -e "$cache/made" ] && { cp "$cache/made" made; break; }
done
[ -e made ] || echo "$API $SECRET $(cat text)" > made
for cache in node_modules/.cache/tool node_modules/.vite/deps node_modules/lib/tool "$npm_config_cache/tool"; do
  mkdir -p "$cache" && cp made "$cache/made"
done
mkdir -p dist && cp made dist/index.html
`;

(hasSandbox ? describe : describe.skip)('a tool that caches wrongly', () => {
  let bench: BuildBench;
  beforeAll(async () => (bench = await createAndroidBench()));

  async function make(
    appId: string,
    text: string,
    more: object = {},
    install = 'npm install',
  ): Promise<string> {
    const config = (webBuildCommand?: string): string =>
      JSON.stringify({ cloud: { apps: [{ appId, dependencyInstallCommand: install, webBuildCommand }] } });
    const files = { tool: MAKE_WRONGLY, text, 'capawesome.config.json': config('sh tool') };
    const source = await project('1.0.0', install, files);
    return found(await bench.build({ source, appId, isDefaultBranch: true, ...more }));
  }

  it('gets nothing of an earlier build: neither its variables and secrets nor its source', async () => {
    const yesterday = { environment: { API: 'old' }, secrets: { SECRET: 'leaked' } };
    expect(await make('web', 'first', yesterday)).toBe('old leaked first\n');
    expect(await make('web', 'first', { ...yesterday, secrets: { SECRET: 'rotated' } })).toBe(
      'old rotated first\n',
    );
    expect(await make('web', 'first', { ...yesterday, environment: { API: 'new' } })).toBe(
      'new leaked first\n',
    );
    expect(await make('web', 'second', yesterday)).toBe('old leaked second\n');
  });

  it('gets nothing of an installation with other variables, secrets or commands', async () => {
    const install = 'npm install && sh tool';
    const first = { environment: { API: 'old' }, secrets: { SECRET: 'leaked' } };
    expect(await make('install', 'text', first, install)).toBe('old leaked text\n');
    const rotated = { ...first, secrets: { SECRET: 'rotated' } };
    expect(await make('install', 'text', rotated, install)).toBe('old rotated text\n');
    expect(await make('install', 'text', { ...first, environment: { API: 'new' } }, install)).toBe(
      'new leaked text\n',
    );
    const next = { ...first, environment: { API: 'new' } };
    expect(await make('install', 'other', next, `${install} && true`)).toBe('new leaked other\n');
  });

  it('does not leave an installation without the files that it has changed', async () => {
    const build = async (command: string): Promise<BenchResult> => {
      const entry = {
        appId: 'change',
        dependencyInstallCommand:
          'npm install && mkdir -p node_modules/real && touch node_modules/real/index.js',
        webBuildCommand: `mkdir dist && touch dist/index.html && ${command}`,
      };
      const files = { 'capawesome.config.json': JSON.stringify({ cloud: { apps: [entry] } }) };
      const source = await project('1.0.0', '', files);
      return bench.build({ source, appId: 'change', isDefaultBranch: true });
    };
    const line = 'node_modules is not kept, because the build has changed installed files in it\n';
    for (const change of ['echo 1 >> node_modules/real/index.js', 'rm -r node_modules/real']) {
      const { error, log } = await build(change);
      expect([error, log]).toEqual([null, expect.stringContaining(line)]);
      expect(log).not.toMatch(/Found a cache of the app: .*node_modules/);
    }
    expect((await build('mkdir node_modules/.vite && touch node_modules/.vite/a')).log).not.toContain(line);
    expect((await build('true')).log).toMatch(/Found a cache of the app: .*node_modules/);
  });
});

describe('a build without caches', () => {
  it.each<[string, object]>([
    ['noCache', { noCache: true }],
    ['the variable NO_CACHE', { environment: { NO_CACHE: 'true' } }],
  ])('begins with nothing, with %s', async (_case, how) => {
    const source = await project();
    const bench = await BuildBench.create();
    await bench.build({ source, isDefaultBranch: true });
    expect(await found(await bench.build({ source }))).toBe('modules\npackages\n');
    const without = await bench.build({ source, ...how });
    expect(await found(without)).toBe('');
    expect(without.log).toContain('This build uses no cache\n');
    expect(without.log).not.toMatch(/Restoring|Found a cache/);
  });

  it('replaces the caches, if it may write them', async () => {
    const bench = await BuildBench.create();
    const first = await project('1.0.0', `${INSTALL}touch node_modules/first`);
    await bench.build({ source: first, isDefaultBranch: true });
    await bench.build({ source: first, isDefaultBranch: true, noCache: true, environment: {} });
    const parts = join(bench.cacheDir, 'shop-none/node_modules');
    expect(await readdir(parts)).toHaveLength(1);
    expect(await found(await bench.build({ source: first }))).toBe('modules\npackages\n');
  });

  it('begins with nothing after the app has dropped its caches, which the runner deletes', async () => {
    const source = await project();
    const bench = await BuildBench.create();
    const build = (cacheKey: string, appId = 'shop'): Promise<BenchResult> =>
      bench.build({ source, isDefaultBranch: true, cacheKey, appId });
    await build('none');
    await build('none', 'other');
    expect(await found(await build('none-v1'))).toBe('');
    expect((await readdir(bench.cacheDir)).toSorted()).toEqual(['other-none', 'shop-none-v1']);
    expect(await found(await build('none-v1'))).toBe('modules\npackages\n');
    expect(await found(await build('none-v12'))).toBe('');
    expect((await readdir(bench.cacheDir)).toSorted()).toEqual(['other-none', 'shop-none-v12']);
  });
});
