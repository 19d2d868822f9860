import { existsSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '../setup/depth.js';
import { pointerTo } from '../support/git/lfs-store.js';
import { readZip } from '../support/runners/build-bench.js';
import { IosBench, type IosBenchBuild, type IosBenchResult } from '../support/runners/ios/ios-bench.js';
import { makeIosCertificate } from '../support/runners/ios/ios-certificates.js';
import { IosMachine } from '../support/runners/ios/ios-machine.js';
import {
  BUNDLE_ID,
  capacitorIosProject,
  cordovaIosProject,
  nativeIosProject,
} from '../support/runners/ios/ios-project.js';
import { entryNames } from '../support/runners/android/android-bench.js';

let bench: IosBench;

beforeAll(async () => {
  bench = await IosBench.create();
});

/** A build that must succeed. */
async function succeed(
  files: Readonly<Record<string, string>>,
  build: IosBenchBuild = {},
): Promise<IosBenchResult> {
  const result = await bench.build(files, build);
  expect([result.error, result.error === null ? '' : result.log]).toEqual([null, '']);
  return result;
}

/** A build that must fail with one sentence. @returns how, and the log */
async function fail(
  files: Readonly<Record<string, string>>,
  build: IosBenchBuild = {},
  on = bench,
): Promise<{ step: string | null; message: string; log: string }> {
  const { error, files: built, log } = await on.build(files, build);
  expect(built).toEqual([]);
  expect(error).toMatchObject({ step: expect.any(String), message: expect.stringMatching(/^[^\n]+\.$/) });
  return { ...error!, log };
}

function pathOf({ files }: IosBenchResult, type: string): string {
  return files.find((file) => file.type === type)?.path ?? '';
}

describe('a build for the simulator', () => {
  it('builds where a configuration that is a program says', async () => {
    const cap = `#!/usr/bin/env node
const config = { app: { webDir: 'dist' }, ios: { platformDir: 'native/ios' } };
if (process.argv[2] === 'config') console.log(JSON.stringify(config));
else require('node:fs').cpSync('dist', 'native/ios/App/App/public', { recursive: true });
`;
    const { 'capacitor.config.json': json, ...files } = capacitorIosProject('shop');
    const moved = Object.entries(files).map(([path, text]) => [path.replace(/^ios\//, 'native/ios/'), text]);
    const { log } = await succeed({
      ...Object.fromEntries(moved),
      'capacitor.config.ts': `export default ${json}`,
      'tool.cjs': cap,
    });
    expect(log).toContain('capacitor.config.ts says that the iOS project is in native/ios/App\n');
    expect(log).toContain(' of native/ios/App/App.xcodeproj\n');
  });

  it('makes a zip with the app at its root, without a certificate', async () => {
    const result = await succeed(capacitorIosProject('shop', { hasWidget: true }), {
      environment: { IOS_SCHEME: 'App' },
    });
    expect(result.files.map(({ type, fileName }) => [type, fileName])).toEqual([['app', 'App.app.zip']]);
    expect(await entryNames(pathOf(result, 'app'))).toEqual([
      'App.app/App',
      'App.app/Info.plist',
      'App.app/PlugIns/Widget.appex/Info.plist',
      'App.app/PlugIns/Widget.appex/Widget',
      'App.app/public/index.html',
    ]);
    expect(result.reports).toContainEqual({
      packageName: BUNDLE_ID,
      packageVersion: '1.2',
      displayName: 'Shop',
    });
    expect(result.log).toContain('This is a Capacitor project, built in ios/App\n');
    expect(result.log).toContain('Using Xcode 26.2\n');
    expect(result.log).toContain('The app for the simulator is unsigned\n');
  });

  it('does not use a certificate, and says so', async () => {
    const { certificate } = makeIosCertificate('development');
    const { log } = await succeed(nativeIosProject(), { certificate });
    expect(log).toContain('The app for the simulator is unsigned, so the certificate is not used\n');
  });
});

it('ends with the names of pointers of Git LFS that it would publish', async () => {
  const pointer = { 'ios/App/App/public/intro.bin': pointerTo('ab'.repeat(32), 70_000) };
  const files = capacitorIosProject('shop', { files: pointer });
  const advice = 'run "git lfs pull" in your checkout and upload again.';
  const start = 'The build has made pointers of Git LFS in place of files,';
  expect(await fail(files)).toMatchObject({
    step: 'output',
    message: `${start} App.app/public/intro.bin: ${advice}`,
  });
  const { certificate } = makeIosCertificate('ad-hoc');
  expect(await fail(files, { type: 'ad-hoc', certificate })).toMatchObject({
    step: 'output',
    message: `${start} App.xcarchive/Products/Applications/App.app/public/intro.bin, Payload/App.app/public/intro.bin: ${advice}`,
  });
});

describe('a signed build', () => {
  it.each(someOf(['development', 'ad-hoc', 'app-store', 'enterprise'] as const))(
    'makes an ipa, symbols and an archive of the type %s',
    async (type) => {
      const { certificate, identity } = makeIosCertificate(type);
      const files = capacitorIosProject('shop', { hasWidget: true });
      const result = await succeed(files, { type, certificate });
      expect(result.files.map((file) => [file.type, file.fileName])).toEqual([
        ['ipa', 'App.ipa'],
        ['dsym', 'App.dSYM.zip'],
        ['xcarchive', 'App.xcarchive.zip'],
      ]);
      const ipa = await readZip(pathOf(result, 'ipa'));
      const [app, widget] = certificate.profiles;
      const embedded = 'embedded.mobileprovision';
      expect(ipa[`Payload/App.app/${embedded}`]).toContain(app!.uuid);
      expect(ipa[`Payload/App.app/PlugIns/Widget.appex/${embedded}`]).toContain(widget!.uuid);
      expect(ipa['Payload/App.app/_CodeSignature/CodeResources']).toContain(identity.sha1);
      expect(await entryNames(pathOf(result, 'dsym'))).toContain('App.dSYM/Contents/Resources/DWARF/App');
      expect(await entryNames(pathOf(result, 'xcarchive'))).toContain('App.xcarchive/Info.plist');
      expect(result.log).toContain(`Signing Widget (${BUNDLE_ID}.widget) with the profile ${widget!.name}`);
      expect(result.log).toContain('** EXPORT SUCCEEDED **');
      expect(result.log).not.toContain(certificate.password);
    },
  );

  it('ends with the name of a file with entitlements that cannot be read', async () => {
    const { certificate } = makeIosCertificate('ad-hoc');
    const large = { 'App/App.entitlements': `<!-- ${'x'.repeat(1024 ** 2)} -->` };
    expect(await fail(nativeIosProject(large), { type: 'ad-hoc', certificate })).toMatchObject({
      message: 'App/App.entitlements is larger than the 262144 bytes that are allowed.',
    });
  });

  it('builds with an old Xcode, which reads profiles elsewhere and calls methods otherwise', async () => {
    const machine = await IosMachine.create(['15.2']);
    const old = await IosBench.create(machine);
    const { certificate } = makeIosCertificate('ad-hoc');
    const { error, log } = await old.build(nativeIosProject(), { type: 'ad-hoc', certificate });
    expect([error, error === null ? '' : log]).toEqual([null, '']);
  });

  it('ends in the step sign, before pods are installed, when a target has no profile', async () => {
    const { certificate } = makeIosCertificate('ad-hoc', [BUNDLE_ID]);
    const files = capacitorIosProject('shop', { hasPods: true, hasWidget: true });
    const { step, message, log } = await fail(files, { type: 'ad-hoc', certificate });
    expect(step).toBe('sign');
    expect(message).toContain('Widget');
    expect(message).toContain(`${BUNDLE_ID}.widget`);
    expect(log).not.toContain('Synced');
    expect(log).not.toContain('Pod installation');
  });

  it('says that it needs a certificate, before it fetches the source', async () => {
    const { message, log } = await fail(nativeIosProject(), { type: 'enterprise' });
    expect(message).toBe('A build of the type enterprise needs a certificate, and this one has none.');
    expect(log).not.toContain('Fetching the source');
  });
});

describe('Xcode', () => {
  it('is the one of XCODE_VERSION', async () => {
    const { log } = await succeed(nativeIosProject(), { environment: { XCODE_VERSION: '16' } });
    expect(log).toContain('Using Xcode 16.4\n');
    const last = bench.machine.calls('xcodebuild').at(-1);
    expect(last?.developerDir).toBe(join(bench.machine.xcodeDir, 'Xcode-16.4.app/Contents/Developer'));
    expect(last?.home).toBe(bench.machine.home);
  });

  it('must be there, which is said before the source is fetched', async () => {
    const { step, message, log } = await fail(nativeIosProject(), { environment: { XCODE_VERSION: '27.1' } });
    expect([step, message]).toEqual([
      'configuration',
      'This runner does not have the Xcode that XCODE_VERSION names ("27.1"): it has 26.2, 26.0.1, 16.4.',
    ]);
    expect(log).not.toContain('Fetching the source');
  });

  it('shows what the compiler says, and fails in the step native', async () => {
    const source = 'import UIKit\n\nlet value = undeclaredName\n';
    const { step, message, log } = await fail(nativeIosProject({ 'App/AppDelegate.swift': source }));
    expect(step).toBe('native');
    expect(message).toMatch(/^The command "xcodebuild .*" failed with exit code 65\.$/);
    expect(log).toContain("AppDelegate.swift:3:9: error: cannot find 'undeclaredName' in scope");
  });

  it('gets a scheme whose name has spaces as one argument', async () => {
    const scheme = nativeIosProject()['App.xcodeproj/xcshareddata/xcschemes/App.xcscheme']!;
    const files = nativeIosProject({
      'App.xcodeproj/xcshareddata/xcschemes/My Shop (beta).xcscheme': scheme,
    });
    const { certificate } = makeIosCertificate('ad-hoc');
    const environment = { IOS_SCHEME: 'My Shop (beta)' };
    const result = await succeed(files, { type: 'ad-hoc', certificate, environment });
    expect(result.files[2]?.fileName).toBe('My Shop (beta).xcarchive.zip');
  });

  it.each(someOf(['App; touch pwned', '$(touch pwned)', 'App\nOther', '-project', '../App', 'Other']))(
    'refuses the scheme %j',
    async (scheme) => {
      const { step, message } = await fail(nativeIosProject(), { environment: { IOS_SCHEME: scheme } });
      expect(step).toBe('configuration');
      expect(message).toContain('IOS_SCHEME');
    },
  );
});

describe('pods', () => {
  const withPods = (files = {}) => capacitorIosProject('shop', { hasPods: true, files });

  it('are installed by Capacitor, with the cache of the app', async () => {
    const first = await succeed(withPods(), { isDefaultBranch: true });
    expect(first.log).toContain('Installing Capacitor (1.0.0)');
    expect(first.log.match(/Pod installation complete/g)).toHaveLength(1);
    const second = await succeed(withPods());
    expect(second.log).toMatch(/Found a cache of the app: .*Pods/);
    expect(second.log).toContain('Using Capacitor (1.0.0)');
    expect(bench.machine.calls('xcodebuild').at(-1)?.args).toContain('App.xcworkspace');
  });

  it('are installed by the runner in a native project with a folder ios', async () => {
    const native = Object.entries(nativeIosProject()).map(([path, text]) => [`ios/${path}`, text] as const);
    const podfile = "target 'App' do\n  pod 'Alamofire'\nend\n";
    const { log } = await succeed({ ...Object.fromEntries(native), 'ios/Podfile': podfile });
    expect(log).toContain('Installing pods: pod install\n');
    expect(log).toContain('Installing Alamofire (1.0.0)');
    expect(bench.machine.calls('pod').at(-1)?.home).not.toBe(bench.machine.home);
  });

  it('are installed with the CocoaPods of a Gemfile', async () => {
    const gems = { Gemfile: "gem 'cocoapods', '1.16.2'\n", 'Gemfile.lock': 'GEM\n' };
    const { log } = await succeed(withPods(gems));
    expect(log).toContain('Installing CocoaPods: bundle install\n');
    expect(bench.machine.calls('bundle').at(-1)?.args).toEqual(['exec', 'pod', 'install']);
  });

  it('fail with what CocoaPods says', async () => {
    const podfile = "target 'App' do\n  pod 'MissingPod'\nend\n";
    const { step, log } = await fail(withPods({ 'ios/App/Podfile': podfile }));
    expect(step).toBe('native');
    expect(log).toContain('[!] Unable to find a specification for `MissingPod`');
  });

  it('need the program pod', async () => {
    const machine = await IosMachine.create(['26.2'], ['pod']);
    const poor = await IosBench.create(machine);
    const native = { ...nativeIosProject(), Podfile: "target 'App' do\nend\n" };
    const { step, message } = await fail(native, {}, poor);
    expect(step).toBe('native');
    expect(message).toContain('this runner has no program "pod"');
  });
});

describe('Swift packages', () => {
  it('are cloned once for an app', async () => {
    const files = capacitorIosProject('packages');
    const build = { appId: 'packages', isDefaultBranch: true };
    expect((await succeed(files, build)).log).toContain('Fetching from https://github.com/ionic-team');
    const { log } = await succeed(files, build);
    expect(log).toMatch(/Found a cache of the app: .*Swift packages/);
    expect(log).toContain('Updating from https://github.com/ionic-team');
  });
});

describe('a configuration', () => {
  const configuration = {
    displayName: 'Shop "Beta" & more',
    packageName: 'com.acme.beta',
    versionName: '9.1',
    buildNumber: 77,
  };

  it.each([
    ['Capacitor', () => capacitorIosProject('shop')],
    ['Cordova', () => cordovaIosProject('shop')],
    ['native', () => nativeIosProject()],
  ] as const)('sets the values of a %s project', async (_name, files) => {
    const { certificate } = makeIosCertificate('ad-hoc', ['com.acme.beta']);
    const result = await succeed(files(), { type: 'ad-hoc', certificate, configuration });
    expect(result.reports).toContainEqual({
      packageName: 'com.acme.beta',
      packageVersion: '9.1',
      displayName: configuration.displayName,
    });
  });

  it('renames extensions with the app', async () => {
    const { certificate } = makeIosCertificate('ad-hoc', ['com.acme.beta', 'com.acme.beta.widget']);
    const files = capacitorIosProject('shop', { hasWidget: true });
    const { log } = await succeed(files, { type: 'ad-hoc', certificate, configuration });
    expect(log).toContain('Signing Widget (com.acme.beta.widget)');
  });
});

it('builds a Cordova project from config.xml', async () => {
  const { certificate } = makeIosCertificate('app-store');
  const { log, reports } = await succeed(cordovaIosProject('shop'), { type: 'app-store', certificate });
  expect(log).toContain('This is a Cordova project');
  expect(reports).toContainEqual({ packageName: BUNDLE_ID, packageVersion: '2.0.1', displayName: 'Shop' });
});

it('has nothing left of an earlier build in its outputs', async () => {
  const { root } = await succeed(nativeIosProject());
  const left = join(root, 'xcode/derived-data/Build/Products/Debug-iphonesimulator');
  expect(existsSync(join(left, 'App.app'))).toBe(true);
  expect(existsSync(join(bench.machine.home, 'Library/Developer/Xcode/DerivedData'))).toBe(false);
});

it('says that a machine without Xcode cannot build', async () => {
  const machine = await IosMachine.create([]);
  const none = await IosBench.create(machine);
  await mkdir(machine.xcodeDir, { recursive: true });
  await writeFile(join(machine.xcodeDir, 'README'), '');
  const { message } = await fail(nativeIosProject(), {}, none);
  expect(message).toContain('This runner has no Xcode');
  rmSync(machine.xcodeDir, { recursive: true });
});
