import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolFolders } from './tool-folders.js';

const none = { nodeDir: null, androidHome: null, jdkDir: null, toolsDir: null, storeDir: null };
let root: string;
beforeEach(async () => (root = await realpath(await mkdtemp(join(tmpdir(), '.slipway-tools-')))));
afterEach(() => rm(root, { recursive: true, force: true }));

it('has the folders that links in a folder of versions lead to', async () => {
  const installed = join(root, 'jdk-17.0.9');
  await mkdir(join(installed, 'bin'), { recursive: true });
  await mkdir(join(root, 'secrets'));
  const versions = join(root, 'versions');
  await mkdir(versions);
  await symlink(installed, join(versions, '17'));
  await symlink(join(root, 'secrets'), join(versions, 'notes'));
  await symlink(join(root, 'gone'), join(versions, '11'));
  await writeFile(join(versions, 'README'), '');
  for (const options of [{ jdkDir: versions }, { nodeDir: versions }]) {
    const folders = toolFolders({ ...none, ...options });
    expect(folders.filter((folder) => folder.startsWith(root)).toSorted()).toEqual([installed, versions]);
  }
  expect(toolFolders({ ...none, jdkDir: join(root, 'gone') })).toEqual(toolFolders(none));
});
