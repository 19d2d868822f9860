import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { findXcodes } from './xcodes.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-xcodes-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function makeXcode(name: string, version: unknown, productBuild = '17C52'): Promise<void> {
  const contents = join(folder, name, 'Contents');
  await mkdir(join(contents, 'Developer/usr/bin'), { recursive: true });
  await writeFile(join(contents, 'Developer/usr/bin/xcodebuild'), '', { mode: 0o755 });
  const facts = { CFBundleShortVersionString: version as string, ProductBuildVersion: productBuild };
  await writeFile(join(contents, 'version.plist'), build(facts));
}

it('finds versions by number, each once, and betas behind releases', async () => {
  await makeXcode('Xcode-9.app', '16.4.1');
  await makeXcode('Xcode-26.2.app', '26.2');
  await makeXcode('Xcode-26.10.app', '26.10');
  await makeXcode('Xcode-beta.app', '27.0');
  await makeXcode('Xcode_27.app', '27.0', '18A5234d');
  await makeXcode('Xcode_26.2_copy.app', '26.2');
  await symlink(join(folder, 'Xcode-26.2.app'), join(folder, 'Xcode.app'));
  const found = await findXcodes(folder);
  expect(found.map(({ version, isBeta }) => [version, isBeta])).toEqual([
    ['27.0', true],
    ['26.10', false],
    ['26.2', false],
    ['16.4.1', false],
  ]);
  expect(found[2]?.developerDir).toBe(join(folder, 'Xcode-26.2.app/Contents/Developer'));
});

it('passes over what is no Xcode', async () => {
  await makeXcode('Text.app', '26.2 "$(id)"');
  await makeXcode('Number.app', true);
  await makeXcode('Huge.app', '26.2');
  await truncate(join(folder, 'Huge.app/Contents/version.plist'), 10_000_000);
  await makeXcode('Broken.app', '26.2');
  await writeFile(join(folder, 'Broken.app/Contents/version.plist'), '<plist><dict>');
  await makeXcode('Empty.app', '26.2');
  await rm(join(folder, 'Empty.app/Contents/Developer'), { recursive: true });
  await writeFile(join(folder, 'File.app'), '');
  await symlink('/nonexistent', join(folder, 'Gone.app'));
  expect(await findXcodes(folder)).toEqual([]);
  expect(await findXcodes(join(folder, 'none'))).toEqual([]);
});
