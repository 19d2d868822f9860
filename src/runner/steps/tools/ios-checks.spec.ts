import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { iosChecks } from './ios-checks.js';
import { findIosTools } from './ios-tools.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-ios-'));
  await mkdir(join(root, 'tools'));
});

afterEach(() => rm(root, { recursive: true }));

const options = (): { xcodeDir: string; toolsDir: string } => ({
  xcodeDir: join(root, 'xcodes'),
  toolsDir: join(root, 'tools'),
});

async function makeTool(name: string, script: string): Promise<void> {
  await writeFile(join(root, 'tools', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

async function makeXcode(version: string): Promise<void> {
  const contents = join(root, 'xcodes', `Xcode-${version}.app/Contents`);
  await mkdir(join(contents, 'Developer/usr/bin'), { recursive: true });
  await writeFile(join(contents, 'Developer/usr/bin/xcodebuild'), '');
  await writeFile(join(contents, 'version.plist'), build({ CFBundleShortVersionString: version }));
}

async function lines(isWanted = true): Promise<string[]> {
  const keychain = () => Promise.resolve({ name: 'Keychain', status: 'ok' as const, message: 'works.' });
  const checks = await iosChecks(options(), isWanted, keychain);
  return checks.map(({ name, status, message }) => `${status} ${name}: ${message}`);
}

it('says that iOS is not set up, where it is not wanted', async () => {
  expect(await lines(false)).toEqual([expect.stringMatching(/^ok iOS: not set up/)]);
});

it('names what is missing, in one line each', async () => {
  await makeTool('xcodebuild', '[ "$1" = -checkFirstLaunchStatus ] && exit 69');
  await makeTool('sw_vers', 'echo 14.7.2');
  expect(await lines()).toEqual([
    expect.stringMatching(/^warning iOS: Builds run without a sandbox: trusted repositories only\./),
    expect.stringMatching(/^failed Xcode: There is no Xcode in .*RUNNER_XCODE_DIR\.$/),
    expect.stringMatching(/^warning Stack: .*RUNNER_STACKS/),
    expect.stringMatching(/^warning CocoaPods: The program pod is missing/),
    'ok Keychain: works.',
  ]);
  await makeXcode('26.2');
  expect(await lines()).toContainEqual(expect.stringMatching(/^failed Xcode 26\.2: .*-license accept/));
  await rm(join(root, 'tools/xcodebuild'));
  expect(await lines()).toContainEqual(
    expect.stringMatching(/^failed Xcode: The program xcodebuild is missing/),
  );
});

it('shows the versions that are there', async () => {
  await makeXcode('26.2');
  await makeXcode('16.4');
  const folder = join(root, 'xcodes/Xcode-16.4.app');
  await makeTool('xcodebuild', `case "$DEVELOPER_DIR" in ${folder}/*) exit 69;; esac`);
  await makeTool('sw_vers', '[ "$1" = -productVersion ] && echo 26.1');
  await makeTool('pod', '[ "$LANG" = en_US.UTF-8 ] && echo 1.16.2');
  const found = await lines();
  expect(found[1]).toMatch(/^ok Xcode: 26\.2 \(.*\), 16\.4 \(.*\)$/);
  expect(found.slice(2)).toEqual([
    'ok Xcode 26.2: is set up.',
    expect.stringMatching(/^failed Xcode 16\.4: /),
    'ok Stack: macos-tahoe',
    'ok CocoaPods: 1.16.2',
    'ok Keychain: works.',
  ]);
});

it.each([
  ['15.6', 'macos-sequoia'],
  ['26', 'macos-tahoe'],
  ['27.0.1', 'macos-golden-gate'],
  ['14.7', null],
  ['x; id', null],
])('takes macOS %s for the stack %s', async (version, stack) => {
  await makeXcode('26.2');
  await makeTool('xcodebuild', '');
  await makeTool('sw_vers', `echo '${version}'`);
  expect((await findIosTools(options()))?.stack).toBe(stack);
});

it('builds for iOS only with xcodebuild and an Xcode', async () => {
  await makeXcode('26.2');
  expect(await findIosTools(options())).toBeNull();
  await makeTool('xcodebuild', '');
  expect(await findIosTools(options())).not.toBeNull();
  await rm(join(root, 'xcodes'), { recursive: true });
  expect(await findIosTools(options())).toBeNull();
});
