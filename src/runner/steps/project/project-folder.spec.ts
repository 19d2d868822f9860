import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProjectFolder } from './project-folder.js';

/** A user without privileges: root can read everything. */
const OTHER = 65_534;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-project-'));
  await chmod(root, 0o755);
  await mkdir(join(root, 'closed'));
  await writeFile(join(root, 'closed/app.aab'), 'app');
  await writeFile(join(root, 'file'), 'text');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Does something as a user whom modes concern. */
async function asOther<R>(work: () => Promise<R>): Promise<R> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(OTHER);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

it('lists what a folder has, and nothing where there is none', async () => {
  const files = await ProjectFolder.at(root);
  expect(await files.list('output', 'closed')).toEqual([{ name: 'app.aab', isFolder: false }]);
  expect(await files.list('output', 'nowhere')).toEqual([]);
  expect(await files.list('output', 'file')).toEqual([]);
});

it('names a folder and a file that it cannot read', async () => {
  const files = await ProjectFolder.at(root);
  await chmod(join(root, 'closed'), 0);
  await chmod(join(root, 'file'), 0);
  await asOther(async () => {
    await expect(files.list('output', 'closed')).rejects.toThrow(
      'closed cannot be read: its mode does not allow that.',
    );
    await expect(files.read('configuration', 'file', 100)).rejects.toThrow(
      'file cannot be read: its mode does not allow that.',
    );
  });
  await chmod(join(root, 'closed'), 0o755);
});
