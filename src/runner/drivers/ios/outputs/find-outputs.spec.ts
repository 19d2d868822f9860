import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { binaryPlist } from '../../../../../test/support/native-builds/binary-plist.js';
import { endlessPlist } from '../../../../../test/support/native-builds/endless-plist.js';
import { ProjectFolder } from '../../../steps/project/project-folder.js';
import { readAppFacts } from './app-facts.js';
import { findApp, findOnly } from './collect-outputs.js';

let root: string;
let files: ProjectFolder;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-outputs-'));
  files = await ProjectFolder.at(root);
  await mkdir(join(root, 'export'));
});

afterEach(() => rm(root, { recursive: true }));

async function makeApp(name: string, info: Record<string, string>): Promise<void> {
  await mkdir(join(root, 'products', name), { recursive: true });
  await writeFile(join(root, 'products', name, 'Info.plist'), build(info));
}

it('takes the only ipa', async () => {
  await expect(findOnly(files, 'export', '.ipa')).rejects.toThrow('Xcode made no ipa');
  await mkdir(join(root, 'export/Folder.ipa'));
  await symlink('/etc/passwd', join(root, 'export/Link.ipa'));
  await writeFile(join(root, 'export/Shop.ipa'), '');
  await writeFile(join(root, 'export/ExportOptions.plist'), '');
  expect(await findOnly(files, 'export', '.ipa')).toBe('Shop.ipa');
  await writeFile(join(root, 'export/Other.ipa'), '');
  await expect(findOnly(files, 'export', '.ipa')).rejects.toThrow(
    'Xcode made several files .ipa (Other.ipa, Shop.ipa), and a build has one.',
  );
});

it('takes the app of the bundle id among several', async () => {
  await expect(findApp(files, 'products', 'com.acme.shop')).rejects.toThrow('Xcode made no app');
  await makeApp('Clip.app', { CFBundleIdentifier: 'com.acme.shop.Clip' });
  await makeApp('Shop.app', { CFBundleIdentifier: 'com.acme.shop' });
  expect(await findApp(files, 'products', 'com.acme.shop')).toBe('Shop.app');
  await expect(findApp(files, 'products', 'com.acme.other')).rejects.toThrow(
    'None of the apps that Xcode made (Clip.app, Shop.app) has the bundle id com.acme.other.',
  );
});

it('reads what an app says, and passes over what is no text', async () => {
  await makeApp('Shop.app', {
    CFBundleIdentifier: 'com.acme.shop',
    CFBundleShortVersionString: '1\n2',
    CFBundleName: 'Shop & more',
  });
  expect(await readAppFacts(files, 'products/Shop.app')).toEqual({
    packageName: 'com.acme.shop',
    packageVersion: null,
    displayName: 'Shop & more',
  });
});

it('reads a binary Info.plist, but none that stands for more values than memory holds', async () => {
  const path = join(root, 'products/Shop.app/Info.plist');
  await makeApp('Shop.app', {});
  await writeFile(path, binaryPlist({ CFBundleIdentifier: 'com.acme.shop' }));
  expect(await readAppFacts(files, 'products/Shop.app')).toMatchObject({ packageName: 'com.acme.shop' });
  await writeFile(path, endlessPlist());
  await expect(readAppFacts(files, 'products/Shop.app')).rejects.toThrow('cannot be read');
});

it('refuses an Info.plist that is missing, damaged, huge, or elsewhere', async () => {
  const path = join(root, 'products/Shop.app/Info.plist');
  await makeApp('Shop.app', {});
  await writeFile(path, 'no plist');
  await expect(readAppFacts(files, 'products/Shop.app')).rejects.toThrow('cannot be read');
  await truncate(path, 50_000_000);
  await expect(readAppFacts(files, 'products/Shop.app')).rejects.toThrow('larger than');
  await rm(path);
  await expect(readAppFacts(files, 'products/Shop.app')).rejects.toThrow(
    'has no products/Shop.app/Info.plist',
  );
  await symlink('/etc/passwd', path);
  await expect(readAppFacts(files, 'products/Shop.app')).rejects.toThrow('leads out of the project');
});
