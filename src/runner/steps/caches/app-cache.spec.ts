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
import { join } from 'node:path';
import { AppCache } from './app-cache.js';

const never = new AbortController().signal;

let root: string;
let counter = 0;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-caches-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

const cacheOf = (app: string, maxMiB = 1): AppCache => new AppCache(join(root, 'caches'), app, maxMiB);

async function folder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(root, `folder-${++counter}`);
  await mkdir(path);
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

async function promote(cache: AppCache, text: string): Promise<number | null> {
  return cache.promote({ packages: await folder({ file: text }), modules: null });
}

describe('AppCache', () => {
  it('gives copies of what was kept last', async () => {
    const cache = cacheOf('shop');
    const target = await folder();
    expect(await cache.restorePackages(target, never)).toBe(false);
    await promote(cache, 'first');
    await promote(cache, 'second');
    expect(await cache.restorePackages(target, never)).toBe(true);
    await writeFile(join(target, 'file'), 'poison');
    const next = await folder();
    await cache.restorePackages(next, never);
    expect(await readFile(join(next, 'file'), 'utf8')).toBe('second');
    expect(await readdir(join(root, 'caches/shop'))).toHaveLength(1);
    expect(await cacheOf('other').restorePackages(await folder(), never)).toBe(false);
  });

  it('gives installed packages only for the same key', async () => {
    const cache = cacheOf('shop');
    await cache.promote({
      packages: await folder(),
      modules: { path: await folder({ a: 'a' }), key: 'key' },
    });
    expect(await cache.restoreModules(join(root, 'x'), 'other', never)).toBe(false);
    expect(await cache.restoreModules(join(root, 'y'), 'key', never)).toBe(true);
    expect(await readdir(join(root, 'y'))).toEqual(['a']);
  });

  it('keeps no special files and no setuid, and follows no link', async () => {
    const cache = cacheOf('shop');
    const outside = await folder({ secret: 'secret' });
    await chmod(outside, 0o700);
    const packages = await folder({ tool: 'x' });
    await chmod(join(packages, 'tool'), 0o4755);
    await symlink(outside, join(packages, 'link'));
    execFileSync('mkfifo', [join(packages, 'pipe')]);
    await cache.promote({ packages, modules: null });
    const target = await folder();
    await cache.restorePackages(target, never);
    expect((await readdir(target)).toSorted()).toEqual(['link', 'tool']);
    expect((await lstat(join(target, 'tool'))).mode & 0o7777).toBe(0o755);
    expect(await readlink(join(target, 'link'))).toBe(outside);
    await promote(cache, 'next');
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it('drops a cache that is too large', async () => {
    const cache = cacheOf('shop');
    await promote(cache, 'small');
    expect(await promote(cache, 'x'.repeat(2 * 1024 ** 2))).toBeNull();
    expect(await cache.restorePackages(await folder(), never)).toBe(false);
    expect(await readdir(join(root, 'caches'))).toEqual(['shop']);
  });

  it('drops the apps that were not used for longest', async () => {
    const text = 'x'.repeat(900_000);
    for (let number = 0; number < 12; number++) {
      await promote(cacheOf(`app-${number}`), text);
      const time = new Date(Date.now() - (100 - number) * 60_000);
      await utimes(join(root, 'caches', `app-${number}`), time, time);
    }
    await cacheOf('app-1').restorePackages(await folder(), never);
    await promote(cacheOf('last'), text);
    const names = await readdir(join(root, 'caches'));
    expect(names).toHaveLength(11);
    expect(names).toEqual(expect.arrayContaining(['app-1', 'last']));
    expect(names).not.toContain('app-0');
  });

  it('does not mind others that keep at the same time', async () => {
    const texts = ['a', 'b', 'c', 'd'];
    await promote(cacheOf('shop'), 'first');
    const targets = await Promise.all(texts.map(() => folder()));
    await Promise.all([
      ...texts.map((text) => promote(cacheOf('shop'), text)),
      ...targets.map((target) => cacheOf('shop').restorePackages(target, never)),
    ]);
    const target = await folder();
    expect(await cacheOf('shop').restorePackages(target, never)).toBe(true);
    expect(texts).toContain(await readFile(join(target, 'file'), 'utf8'));
  });

  it('takes only ids as names', () => {
    expect(() => cacheOf('../etc')).toThrow('not valid');
  });
});
