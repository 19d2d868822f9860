import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppCache, type KeptCache, type LeftPart } from './app-cache.js';
import type { CachePart } from './cache-parts.js';

const never = new AbortController().signal;
const MIB = 1024 ** 2;
const KEY = 'lock';

let root: string;
let counter = 0;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-caches-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

const cacheOf = (app: string, maxMiB = 1): AppCache => new AppCache(join(root, 'caches'), app, maxMiB);

/** Makes a folder. @param files texts, or times of use in days before now with a size in KiB */
async function folder(
  files: Readonly<Record<string, string | { daysAgo: number; kib: number }>> = {},
): Promise<string> {
  const path = join(root, `folder-${++counter}`);
  await mkdir(path);
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : Buffer.alloc(content.kib * 1024));
    if (typeof content === 'string') continue;
    const time = new Date(Date.now() - content.daysAgo * 86_400_000);
    await utimes(file, time, time);
  }
  return path;
}

function left(part: CachePart, path: string | null, key: string | null = KEY, isUnchanged = false): LeftPart {
  return { part, path, key, isUnchanged };
}

/** Keeps parts of a build that began now. */
function keep(cache: AppCache, ...parts: readonly LeftPart[]): Promise<KeptCache> {
  return cache.keep(parts, Date.now(), never);
}

async function keepText(cache: AppCache, text: string): Promise<void> {
  await keep(cache, left('packages', await folder({ file: text })));
}

/** The paths of the files of a part; `null`: there is none. */
async function restored(
  cache: AppCache,
  part: CachePart,
  key: string | null = KEY,
): Promise<string[] | null> {
  const target = await folder();
  if ((await cache.restore(part, target, key, never)) === undefined) return null;
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1))
    .toSorted();
}

describe('AppCache', () => {
  it('gives copies of what was kept last', async () => {
    const cache = cacheOf('shop');
    const target = await folder();
    expect(await cache.restore('packages', target, KEY, never)).toBeUndefined();
    await keepText(cache, 'first');
    await keepText(cache, 'second');
    expect(await cache.restore('packages', target, KEY, never)).toBe(KEY);
    await writeFile(join(target, 'file'), 'poison');
    const next = await folder();
    await cache.restore('packages', next, KEY, never);
    expect(await readFile(join(next, 'file'), 'utf8')).toBe('second');
    expect(await readdir(join(root, 'caches/shop/packages'))).toHaveLength(1);
    expect(await restored(cacheOf('other'), 'packages')).toBeNull();
  });

  it('gives with another key, or without one, only what was downloaded', async () => {
    const cache = cacheOf('shop');
    await keep(
      cache,
      left('node_modules', await folder({ a: 'a' }), 'key'),
      left('packages', await folder({ 'npm/_cacache/a': 'a', 'npm/_npx/b': 'b', tool: 'c' }), 'key'),
      left('gradle', await folder({ 'caches/modules-2/a': 'a', 'caches/8.9/transforms/b': 'b' }), 'key'),
    );
    expect(await cache.restore('node_modules', join(root, 'x'), 'other', never)).toBeUndefined();
    expect(await cache.restore('node_modules', join(root, 'y'), 'key', never)).toBe('key');
    expect(await readdir(join(root, 'y'))).toEqual(['a']);
    for (const key of ['other', null]) {
      expect(await restored(cache, 'packages', key)).toEqual(['npm/_cacache/a']);
      expect(await restored(cache, 'gradle', key)).toEqual(['caches/modules-2/a']);
    }
    expect(await restored(cache, 'packages', 'key')).toEqual(['npm/_cacache/a', 'npm/_npx/b', 'tool']);
    expect(await restored(cache, 'gradle', 'key')).toEqual(['caches/8.9/transforms/b', 'caches/modules-2/a']);
    await keep(cache, left('packages', await folder({ tool: 'c' }), null));
    expect(await restored(cache, 'packages', null)).toBeNull();
  });

  it('keeps each part by itself', async () => {
    const cache = cacheOf('shop');
    await keep(
      cache,
      left('packages', await folder({ first: '', file: 'x' }), 'lock 1'),
      left('gradle', await folder({ 'caches/modules-2/files-2.1/a/b/1/hash/b.jar': 'jar' }), 'gradle 1'),
    );
    const gradle = await readdir(join(root, 'caches/shop/gradle'));
    await keep(cache, left('packages', await folder({ second: 'y' }), 'lock 2'));
    expect(await restored(cache, 'packages', 'lock 2')).toEqual(['second']);
    expect(await readdir(join(root, 'caches/shop/gradle'))).toEqual(gradle);
    const unchanged = await folder({ 'caches/modules-2/other': 'x' });
    await keep(cache, left('packages', null), left('gradle', unchanged, 'gradle 1', true));
    expect(await readdir(join(root, 'caches/shop/gradle'))).toEqual(gradle);
    expect(await restored(cache, 'gradle')).toEqual(['caches/modules-2/files-2.1/a/b/1/hash/b.jar']);
    // What a build has no longer is not kept for ever.
    expect(await restored(cache, 'packages')).toBeNull();
  });

  it('keeps of Gradle only what it downloads and derives, without locks, journals and keys', async () => {
    const cache = cacheOf('shop');
    const gradle = await folder({
      'caches/modules-2/files-2.1/a/b/1/hash/b.jar': 'jar',
      'caches/modules-2/modules-2.lock': 'lock',
      'caches/modules-2/gc.properties': '',
      'caches/journal-1/file-access.bin': 'times',
      'caches/8.9/cc-keystore/key': 'key',
      'caches/8.9/executionHistory/executionHistory.bin': 'history',
      'caches/build-cache-1/0123': 'output',
      'caches/acme/plugin.bin': 'state',
      'caches/8.9/transforms/hash/classes.jar': 'classes',
      'caches/jars-9/hash/plugin.jar': 'plugin',
      'wrapper/dists/gradle-8.9/hash/gradle.zip.ok': 'ok',
      'wrapper/dists/gradle-8.9/hash/gradle.zip.lck': 'lock',
      'daemon/8.9/daemon.out.log': 'log',
      'init.d/evil.gradle': 'evil',
      'gradle.properties': 'android.injected.signing.store.password=secret',
    });
    await keep(cache, left('gradle', gradle));
    expect(await restored(cache, 'gradle')).toEqual([
      'caches/8.9/transforms/hash/classes.jar',
      'caches/jars-9/hash/plugin.jar',
      'caches/modules-2/files-2.1/a/b/1/hash/b.jar',
      'wrapper/dists/gradle-8.9/hash/gradle.zip.ok',
    ]);
  });

  it('keeps no special files and no setuid, and follows no link', async () => {
    const cache = cacheOf('shop');
    const outside = await folder({ secret: 'secret' });
    await chmod(outside, 0o700);
    const packages = await folder({ tool: 'x' });
    await chmod(join(packages, 'tool'), 0o4755);
    await symlink(outside, join(packages, 'link'));
    execFileSync('mkfifo', [join(packages, 'pipe')]);
    await keep(cache, left('packages', packages));
    const target = await folder();
    await cache.restore('packages', target, KEY, never);
    expect((await readdir(target)).toSorted()).toEqual(['link', 'tool']);
    expect((await lstat(join(target, 'tool'))).mode & 0o7777).toBe(0o755);
    expect(await readlink(join(target, 'link'))).toBe(outside);
    await keepText(cache, 'next');
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it.each(['.', 'caches', 'wrapper', 'wrapper/dists'])(
    'keeps nothing behind a link in place of %s',
    async (path) => {
      const cache = cacheOf('shop');
      const outside = await folder({
        'caches/secret': 'secret',
        'dists/secret': 'secret',
        'wrapper/dists/secret': 'x',
      });
      const gradle = await folder({ 'other/file': 'x', 'wrapper/file': 'x' });
      await rm(join(gradle, path), { recursive: true, force: true });
      await symlink(outside, join(gradle, path));
      await keep(cache, left('gradle', gradle));
      expect(await restored(cache, 'gradle')).toBeNull();
      expect(await readdir(outside)).toEqual(['caches', 'dists', 'wrapper']);
    },
  );

  it('does not read versions of an old layout, and removes them', async () => {
    const old = join(root, 'caches/shop/1700000000000-0198f2c4-6f3a-7c55-9d0e-3f1b2a4c5d6e');
    await mkdir(join(old, 'packages'), { recursive: true });
    await writeFile(join(old, 'packages/evil'), 'evil');
    await writeFile(join(old, 'size'), String(100 * MIB));
    const cache = cacheOf('shop');
    expect(await restored(cache, 'packages')).toBeNull();
    await keepText(cacheOf('other'), 'x');
    expect(await readdir(join(root, 'caches/shop'))).toEqual([]);
  });

  it('drops the apps that were not used for longest', async () => {
    const text = 'x'.repeat(900_000);
    for (let number = 0; number < 12; number++) {
      await keepText(cacheOf(`app-${number}`), text);
      const time = new Date(Date.now() - (100 - number) * 60_000);
      await utimes(join(root, 'caches', `app-${number}`), time, time);
    }
    await restored(cacheOf('app-1'), 'packages');
    await keepText(cacheOf('last'), text);
    const names = await readdir(join(root, 'caches'));
    expect(names).toHaveLength(11);
    expect(names).toEqual(expect.arrayContaining(['app-1', 'last']));
    expect(names).not.toContain('app-0');
  });

  it('does not mind others that keep at the same time', async () => {
    const texts = ['a', 'b', 'c', 'd'];
    await keepText(cacheOf('shop'), 'first');
    const targets = await Promise.all(texts.map(() => folder()));
    await Promise.all([
      ...texts.map((text) => keepText(cacheOf('shop'), text)),
      ...targets.map((target) => cacheOf('shop').restore('packages', target, KEY, never)),
    ]);
    const target = await folder();
    expect(await cacheOf('shop').restore('packages', target, KEY, never)).toBe(KEY);
    expect(texts).toContain(await readFile(join(target, 'file'), 'utf8'));
  });

  it('keeps nothing of a build that is stopped meanwhile', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    const parts = [left('packages', await folder({ file: 'x' }))];
    await expect(cacheOf('shop').keep(parts, Date.now(), stopped)).rejects.toThrow('stopped');
    expect(await readdir(join(root, 'caches'))).toEqual([]);
  });

  it('takes only ids as names', () => {
    expect(() => cacheOf('../etc')).toThrow('not valid');
  });
});

describe('a cache that is too large', () => {
  it('loses what was not used for longest', async () => {
    const cache = cacheOf('shop');
    const packages = await folder({
      'npm/_cacache/content-v2/sha512/aa/old': { daysAgo: 30, kib: 400 },
      'npm/_cacache/content-v2/sha512/bb/new': { daysAgo: 1, kib: 400 },
      'npm/_cacache/content-v2/sha512/cc/used': { daysAgo: 0, kib: 400 },
    });
    const { pruned, size } = await keep(cache, left('packages', packages));
    expect([...pruned]).toEqual([['packages', 400 * 1024]]);
    expect(size).toBe(800 * 1024);
    expect(await restored(cache, 'packages')).toEqual([
      'npm/_cacache/content-v2/sha512/bb/new',
      'npm/_cacache/content-v2/sha512/cc/used',
    ]);
  });

  it('loses packages, modules and distributions as a whole', async () => {
    const cache = cacheOf('shop');
    const gradle = await folder({
      'caches/modules-2/files-2.1/com.acme/lib/1.0/a/lib.pom': { daysAgo: 40, kib: 1 },
      'caches/modules-2/files-2.1/com.acme/lib/1.0/b/lib.jar': { daysAgo: 20, kib: 300 },
      'caches/modules-2/files-2.1/com.acme/lib/2.0/b/lib.jar': { daysAgo: 1, kib: 300 },
      'wrapper/dists/gradle-8.0/hash/bin/gradle': { daysAgo: 60, kib: 300 },
      'wrapper/dists/gradle-8.0/hash/gradle.zip.ok': { daysAgo: 60, kib: 0 },
      'wrapper/dists/gradle-8.9/hash/bin/gradle': { daysAgo: 2, kib: 300 },
      'caches/8.9/transforms/hash/classes.jar': { daysAgo: 3, kib: 100 },
    });
    await keep(cache, left('gradle', gradle));
    expect(await restored(cache, 'gradle')).toEqual([
      'caches/8.9/transforms/hash/classes.jar',
      'caches/modules-2/files-2.1/com.acme/lib/2.0/b/lib.jar',
      'wrapper/dists/gradle-8.9/hash/bin/gradle',
    ]);
    const yarn = await folder({
      'yarn/v6/npm-a/package.json': { daysAgo: 50, kib: 1 },
      'yarn/v6/npm-a/index.js': { daysAgo: 9, kib: 700 },
      'yarn/v6/npm-b/package.json': { daysAgo: 20, kib: 1 },
      'yarn/v6/npm-b/index.js': { daysAgo: 10, kib: 700 },
    });
    const other = cacheOf('other');
    await keep(other, left('packages', yarn));
    expect(await restored(other, 'packages')).toEqual([
      'yarn/v6/npm-a/index.js',
      'yarn/v6/npm-a/package.json',
    ]);
  });

  it('loses node_modules before what the build has used, and never a part of it', async () => {
    const cache = cacheOf('shop');
    const modules = await folder({
      'a/index.js': { daysAgo: 0, kib: 600 },
      'b/index.js': { daysAgo: 300, kib: 10 },
    });
    const packages = await folder({ 'npm/_cacache/content-v2/used': { daysAgo: -1, kib: 600 } });
    const { pruned } = await keep(
      cache,
      left('packages', packages, 'key'),
      left('node_modules', modules, 'key'),
    );
    expect([...pruned.keys()]).toEqual(['node_modules']);
    expect(await restored(cache, 'node_modules')).toBeNull();
    expect(await restored(cache, 'packages')).toEqual(['npm/_cacache/content-v2/used']);
  });

  it('loses parts of what has not changed, too, if the build has a copy', async () => {
    const cache = cacheOf('shop');
    const packages = { 'npm/_cacache/content-v2/old': { daysAgo: 9, kib: 500 } };
    await keep(cache, left('packages', await folder(packages), 'lock'));
    const gradle = await folder({ 'caches/modules-2/files-2.1/a/b/1/h/b.jar': { daysAgo: 0, kib: 700 } });
    const copy = await folder(packages);
    await keep(cache, left('packages', copy, 'lock', true), left('gradle', gradle, 'gradle'));
    expect(await restored(cache, 'packages')).toBeNull();
    expect(await restored(cache, 'gradle')).toEqual(['caches/modules-2/files-2.1/a/b/1/h/b.jar']);
  });

  it('leaves a quarter to builds that do not have the part of Gradle', async () => {
    const cache = cacheOf('shop');
    const jars = Array.from({ length: 10 }, (_, index) => index);
    const gradle = await folder(
      Object.fromEntries(
        jars.map((age) => [`caches/modules-2/files-2.1/a/b/${age}/h/b.jar`, { daysAgo: age, kib: 100 }]),
      ),
    );
    const { size } = await keep(cache, left('gradle', gradle));
    expect(size).toBe(700 * 1024);
    const packages = await folder({ 'npm/_cacache/content-v2/new': { daysAgo: 0, kib: 250 } });
    const { pruned } = await keep(cache, left('packages', packages));
    expect([...pruned]).toEqual([]);
    expect(await restored(cache, 'gradle')).toHaveLength(7);
    const large = await folder({ 'npm/_cacache/content-v2/large': { daysAgo: 0, kib: 600 } });
    await keep(cache, left('packages', large));
    expect(await restored(cache, 'packages')).toBeNull();
  });

  it('keeps of Swift packages the repositories only, and of CocoaPods no settings', async () => {
    const cache = cacheOf('shop');
    const packages = await folder({
      'repositories/core-1/HEAD': 'ref',
      'checkouts/core/a.swift': 'code',
      'workspace-state.json': '{"path": "of the job"}',
    });
    const pods = await folder({
      'cache/Pods/Release/A/1/A.swift': 'code',
      'repos/trunk/a': '',
      'config.yaml': '',
    });
    await keep(cache, left('swift-packages', packages), left('pods', pods));
    expect(await restored(cache, 'swift-packages')).toEqual(['repositories/core-1/HEAD']);
    expect(await restored(cache, 'pods')).toEqual(['cache/Pods/Release/A/1/A.swift', 'repos/trunk/a']);
  });
});
