import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/support/eventually.js';
import { JobFolderStore } from './job-folder-store.js';
import { ownIdentity } from './process-identity.js';
import { removeFolder } from './remove-folder.js';
import { lockToken } from './token-lock.js';

let dir: string;
const warnings: string[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
  warnings.length = 0;
});
afterEach(async () => {
  await removeFolder(dir);
  expect(warnings).toEqual([]);
});

const store = (): JobFolderStore => new JobFolderStore(dir, (message) => warnings.push(message));

it('makes folders that only the runner can open, and removes what a build left', async () => {
  const folders = await store().make('job', 1);
  expect((await stat(folders.root)).mode & 0o777).toBe(0o700);
  await mkdir(join(folders.repo, 'a/b'), { recursive: true });
  await writeFile(join(folders.repo, 'a/b/file'), 'x');
  await writeFile(join(dir, 'kept'), 'x');
  await symlink(join(dir, 'kept'), join(folders.repo, 'a/link'));
  await chmod(join(folders.repo, 'a/b'), 0);
  await chmod(join(folders.repo, 'a'), 0);
  await store().remove(folders);
  expect(await readdir(dir)).toEqual(['kept']);
});

it('removes folders with paths that are longer than the system takes', async () => {
  const { repo, root } = await store().make('job', 1);
  const script = `const fs = require('node:fs'); for (let i = 0; i < 60; i++) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); }`;
  const child = spawn(process.execPath, ['-e', script], { cwd: repo, stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  await removeFolder(root);
  expect(await readdir(dir)).toEqual([]);
});

it('takes the place of a folder that is left from an earlier try', async () => {
  const first = await store().make('job', 1);
  await writeFile(join(first.repo, 'file'), 'x');
  const second = await store().make('job', 1);
  expect(second).toEqual(first);
  expect(await readdir(second.repo)).toEqual([]);
});

it('sweeps the folders of dead processes only, and ends what runs there', async () => {
  const own = store();
  const { root } = await own.make('own', 1);
  const dead = await store().make('dead', 1);
  const identity = { ...ownIdentity(), started: '1' };
  await writeFile(join(dead.root, 'owner.json'), JSON.stringify(identity));
  const child = spawn('sleep', ['1000'], { env: { PATH: process.env['PATH'], HOME: dead.home } });
  const exited = once(child, 'exit');
  const elsewhere = await store().make('elsewhere', 1);
  await writeFile(join(elsewhere.root, 'owner.json'), JSON.stringify({ ...identity, place: 'another' }));
  await own.sweep();
  if (process.platform === 'linux') expect(await exited).toEqual([null, 'SIGKILL']);
  else child.kill();
  expect([root, dead.root, elsewhere.root].map((path) => existsSync(path))).toEqual([true, false, true]);
});

it('waits neither in a job nor in a sweep for a removal that does not end, and tries again later', async () => {
  const removed: string[] = [];
  const removal = Promise.withResolvers<void>();
  const remove = (path: string): Promise<void> => {
    removed.push(path);
    return removed.length === 1 ? removal.promise : removeFolder(path);
  };
  const own = new JobFolderStore(dir, (message) => warnings.push(message), remove, 1);
  const folders = await own.make('job', 1);
  await own.remove(folders);
  const [left = ''] = await readdir(dir);
  expect(left).toMatch(/^\.old-/);
  const longAgo = new Date(Date.now() - 10 * 60_000);
  await utimes(join(dir, left), longAgo, longAgo);
  // It is being removed already.
  await own.sweep();
  expect(removed).toEqual([join(dir, left)]);
  removal.reject(new Error('It cannot be removed.'));
  await eventually(() => expect(warnings).toEqual(['It cannot be removed.']));
  warnings.length = 0;
  await own.sweep();
  await eventually(async () => expect(await readdir(dir)).toEqual([]));
});

it('locks a token against a second process, and not against a dead one', async () => {
  const release = await lockToken(dir, 'token');
  await expect(lockToken(dir, 'token')).rejects.toThrow(`Process ${process.pid} is a runner`);
  await (
    await lockToken(dir, 'another')
  )();
  const [name = ''] = await readdir(dir);
  const owner = await readFile(join(dir, name), 'utf8');
  await writeFile(join(dir, name), owner.replace(/"started":"[^"]*"/, '"started":"1"'));
  const again = await lockToken(dir, 'token');
  await release();
  expect(await readdir(dir)).toEqual([name]);
  await again();
  expect(await readdir(dir)).toEqual([]);
});
