import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanTree } from './clean-tree.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-tree-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

it('stops with the job in the middle of a folder whose files it removes', async () => {
  for (let index = 0; index < 20; index++) await writeFile(join(root, `${index}.lock`), '');
  const reason = new Error('The job was canceled.');
  const controller = new AbortController();
  const names = {
    test: () => {
      controller.abort(reason);
      return true;
    },
  };
  await expect(cleanTree(root, names as unknown as RegExp, controller.signal)).rejects.toBe(reason);
  expect(await readdir(root)).toHaveLength(19);
});
