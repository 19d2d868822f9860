import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '../setup/depth.js';
import { pointerTo } from '../support/git/lfs-store.js';
import { badging, createAndroidBench, entryNames } from '../support/runners/android/android-bench.js';
import {
  BUILD_GRADLE,
  capacitorProject,
  cordovaProject,
  gradleProject,
  hasGradleTools,
  nativeProject,
  type ProjectFiles,
  zipProject,
} from '../support/runners/android/android-project.js';
import {
  type BenchBuild,
  type BenchResult,
  type BuildBench,
  readZip,
} from '../support/runners/build-bench.js';
import { verifyApk } from '../support/runners/android/signing-bench.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';

const tools = hasSandbox && hasGradleTools;
/** As the API has stored it before it refused such aliases. */
const CERTIFICATE: BenchBuild['certificate'] = {
  type: 'production',
  fileName: 'release.jks',
  file: '',
  password: 'storepass',
  keyAlias: '-key',
  keyPassword: null,
  profiles: [],
};

let bench: BuildBench;

async function build(
  files: Readonly<Record<string, string>>,
  more: Omit<BenchBuild, 'source'> = {},
): Promise<BenchResult> {
  return bench.build({ source: await zipProject(files), platform: 'android', ...more });
}

/** A build that must succeed. */
async function succeed(...args: Parameters<typeof build>): Promise<BenchResult> {
  const result = await build(...args);
  expect([result.error, result.error === null ? '' : result.log]).toEqual([null, '']);
  return result;
}

/** @returns the message of a build that must fail */
async function fail(...args: Parameters<typeof build>): Promise<{ step: string; message: string }> {
  const { error, files } = await build(...args);
  expect(files).toEqual([]);
  expect(error).toMatchObject({ step: expect.any(String), message: expect.stringMatching(/^[^\n]+\.$/) });
  return error as { step: string; message: string };
}

/** A program that lets Gradle's metadata name other files. @param names an expression */
function writeMetadata(names: string): string {
  return `const fs = require("fs"), path = "app/build/outputs/apk/debug/output-metadata.json", metadata = JSON.parse(fs.readFileSync(path)); metadata.elements = ${names}.map((outputFile) => ({ outputFile })); fs.writeFileSync(path, JSON.stringify(metadata));`;
}

(tools ? describe : describe.skip)('an Android build in a sandbox', () => {
  beforeAll(async () => {
    bench = await createAndroidBench();
  });

  it('makes a debug apk of a Capacitor project, with its web assets and the signature of Gradle', async () => {
    const { files, log, reports, folders } = await succeed(capacitorProject('shop'));
    expect(files).toEqual([
      { type: 'apk', fileName: 'app-debug.apk', path: join(folders.artifacts, 'app-debug.apk') },
    ]);
    const [apk] = files;
    expect(badging(apk!.path)).toContain("package: name='com.acme.shop' versionCode='7' versionName='1.2'");
    expect(verifyApk(apk!.path)).toContain('CN=Android Debug');
    expect(await entryNames(apk!.path)).toContain('assets/public/index.html');
    expect(log).toContain('This is a Capacitor project, built in android\n');
    expect(log).toContain('Using JDK 17 for the Android Gradle plugin 8.5.0\n');
    expect(log).toMatch(/Building with Gradle: \.\/gradlew :app:assembleDebug --no-daemon --console=plain\n/);
    expect(log).toContain('Java: openjdk version "17.');
    expect(log).toContain('Heap: -Xmx1024m');
    expect(reports).toContainEqual({ packageName: 'com.acme.shop', packageVersion: '1.2' });
    expect(existsSync(join(folders.cache, 'gradle/gradle.properties'))).toBe(false);
  });

  it('makes an aab, an apk and the symbols of a release, and says that nothing is signed', async () => {
    const { files, log } = await succeed(capacitorProject('shop'), { type: 'release' });
    expect(files.map(({ type, fileName }) => [type, fileName])).toEqual([
      ['aab', 'app-release.aab'],
      ['apk', 'app-release-unsigned.apk'],
      ['zip', 'symbols.zip'],
    ]);
    const [aab, apk, symbols] = files;
    expect(await entryNames(aab!.path)).toEqual(
      expect.arrayContaining([
        'BundleConfig.pb',
        'base/manifest/AndroidManifest.xml',
        'base/dex/classes.dex',
      ]),
    );
    expect(() => verifyApk(apk!.path)).toThrow('DOES NOT VERIFY');
    expect(await readZip(symbols!.path)).toEqual({
      'mapping.txt': 'com.acme.shop.MainActivity -> a.a:\n',
      'native-libs/arm64-v8a/libshop.so': 'symbols\n',
    });
    expect(log).toContain('The build has no certificate: ');
    expect(log).toContain('app-release.aab is unsigned: Google Play does not take it\n');
    expect(log).toContain('app-release-unsigned.apk is unsigned: devices do not install it\n');
  });

  it('says of each file whether it is unsigned, whatever its name is', async () => {
    const name = 's/app-release-unsigned.apk/shop.apk/g';
    const script = `cd app/build/outputs/apk/release; sed -i "${name}" output-metadata.json; mv app-release-unsigned.apk shop.apk; cd -`;
    const { log } = await succeed(capacitorProject('shop', { 'android/after-gradle.sh': script }), {
      type: 'release',
    });
    expect(log).toContain('shop.apk is unsigned: devices do not install it\n');
    const debug = await succeed(capacitorProject('shop'));
    expect(debug.log).not.toContain('unsigned');
  });

  it('leaves out symbols that are damaged, empty or too large, and names them', async () => {
    const outputs = 'app/build/outputs';
    const archive = `${outputs}/native-debug-symbols/release/native-debug-symbols.zip`;
    const build = (script: string): Promise<BenchResult> =>
      succeed(
        nativeProject({
          'after-gradle.sh': `mkdir -p ${outputs}/native-debug-symbols/release; if [ -d ${outputs}/mapping/release ]; then ${script}; fi`,
        }),
        { type: 'release' },
      );
    const damaged = await build(`echo no zip > ${archive}; : > ${outputs}/mapping/release/mapping.txt`);
    expect(damaged.log).toContain(
      `${archive} is damaged: it cannot be read as a zip, so symbols.zip is without it\n`,
    );
    expect(damaged.log).toContain(
      `${outputs}/mapping/release/mapping.txt is empty, so symbols.zip is without it\n`,
    );
    expect(Object.keys(await readZip(damaged.files[2]!.path))).toEqual(['native-libs/arm64-v8a/libshop.so']);
    const large = await build(
      `truncate -s 1000M ${outputs}/mapping/release/mapping.txt; truncate -s 30M app/build/intermediates/merged_native_libs/release/mergeNativeLibs/out/lib/arm64-v8a/libshop.so`,
    );
    expect(large.log).toContain('symbols.zip has at most 1 GiB, so it is without mapping.txt: ');
    expect(Object.keys(await readZip(large.files[2]!.path))).toEqual(['native-libs/arm64-v8a/libshop.so']);
  });

  it('says that version codes of splits follow from the number of the configuration', async () => {
    const splits = `
android { applicationVariants.all { variant -> variant.outputs.each { output ->
  output.versionCodeOverride = abis.get(output.getFilter("ABI")) * 1000 + variant.versionCode
} } }
`;
    const configuration = { displayName: null, packageName: null, versionName: null, buildNumber: 21 };
    const project = capacitorProject('shop', { 'android/app/build.gradle': `${BUILD_GRADLE}${splits}` });
    const { log } = await succeed(project, { configuration });
    const line =
      'android/app/build.gradle gives splits their own version codes (versionCodeOverride), which follow from the build number 21\n';
    expect(log).toContain(line);
    expect(log.indexOf(line)).toBeLessThan(log.indexOf('Building with Gradle'));
    expect((await succeed(capacitorProject('shop'), { configuration })).log).not.toContain('splits');
  });

  it('ends without files that the source lists: in Git LFS, or in a submodule, also without a web step', async () => {
    const lost = await fail(
      capacitorProject('shop', {
        'android/app/src/main/assets/intro.bin': pointerTo('ab'.repeat(32), 70_000),
      }),
    );
    expect([lost.step, lost.message]).toEqual([
      'output',
      'The build has made pointers of Git LFS in place of files, assets/intro.bin: run "git lfs pull" in your checkout and upload again.',
    ]);
    const empty = await fail(
      nativeProject({
        '.gitmodules': '[submodule "cpp"]\n\tpath = libs/cpp\n\turl = ../cpp\n',
        'libs/cpp/': '',
      }),
    );
    expect(empty.message).toMatch(/^The submodule libs\/cpp of .gitmodules is not there: /);
  });

  it('builds a flavor and a build type', async () => {
    const free = await succeed(capacitorProject('shop'), { environment: { ANDROID_FLAVOR: 'free' } });
    expect(free.files.map(({ fileName }) => fileName)).toEqual(['app-free-debug.apk']);
    const staging = await succeed(capacitorProject('shop'), {
      type: 'release',
      environment: { ANDROID_BUILD_TYPE: 'staging' },
    });
    expect(staging.log).toContain('./gradlew :app:bundleStaging :app:assembleStaging ');
    expect(staging.files.map(({ fileName }) => fileName)).toContain('app-staging-unsigned.apk');
    const only = await succeed(
      capacitorProject('shop', {
        'android/after-gradle.sh':
          'if [ -e app/build/outputs/apk/release ]; then mv after-gradle.sh done.sh; ./gradlew :app:bundleFreeRelease :app:assembleFreeRelease; rm -r app/build/outputs/apk/release app/build/outputs/bundle/release; fi',
      }),
      { type: 'release' },
    );
    expect(only.files.map(({ fileName }) => fileName).slice(0, 2)).toEqual([
      'app-free-release.aab',
      'app-free-release-unsigned.apk',
    ]);
    expect(only.log).toContain(
      'The apk is of the variant freeRelease, the only one of the build type release\n',
    );
    const unknown = await build(capacitorProject('shop'), { environment: { ANDROID_FLAVOR: 'gold' } });
    expect(unknown.log).toContain("Task ':app:assembleGoldDebug' not found");
    expect(unknown.error).toMatchObject({ step: 'native' });
  });

  it('builds a native project without package.json, and runs no npm', async () => {
    const { files, log } = await succeed(nativeProject(), { appType: 'android' });
    expect(files).toMatchObject([{ type: 'apk' }]);
    expect(log).toContain(
      'This is a native Android project without web assets, built in the root of the repository\n',
    );
    expect(log).not.toMatch(/Installing|npm run|npx/);
  });

  it('runs the web step of a native project if the configuration names one', async () => {
    const config = { cloud: { apps: [{ appId: 'shop', webBuildCommand: 'echo web > app/src/main/web' }] } };
    const { log } = await succeed(nativeProject({ 'capawesome.config.json': JSON.stringify(config) }));
    expect(log).toContain('Building: echo web');
  });

  it('builds a Cordova project with its own commands', async () => {
    const { files, log } = await succeed(cordovaProject('shop'), { type: 'release', appType: 'cordova' });
    expect(files.map(({ type }) => type)).toEqual(['aab', 'apk', 'zip']);
    expect(badging(files[1]!.path)).toContain("versionCode='10' versionName='2.0.1'");
    expect(log).toContain('This is a Cordova project, built in platforms/android\n');
    expect(log).toContain('npx --no -- cordova compile android --release -- --packageType=bundle');
  });

  const refusals: readonly [string, ProjectFiles, Omit<BenchBuild, 'source'>, string, RegExp][] = [
    [
      'a flavor with shell characters',
      {},
      { environment: { ANDROID_FLAVOR: 'free; touch /tmp/x #' } },
      'configuration',
      /^ANDROID_FLAVOR must be a letter, then letters, digits and "_"/,
    ],
    [
      'a build type that is an option',
      {},
      { environment: { ANDROID_BUILD_TYPE: '--init-script' } },
      'configuration',
      /^ANDROID_BUILD_TYPE must be a letter/,
    ],
    [
      'no folder android',
      Object.fromEntries(
        Object.keys(capacitorProject('shop'))
          .filter((path) => path.startsWith('android/'))
          .map((path) => [path, null]),
      ),
      {},
      'configuration',
      /^The project has no folder android: run "npx cap add android" and commit the folder\.$/,
    ],
    [
      'a wrapper with CRLF',
      { 'android/gradlew': '#!/bin/sh\r\nexit 0\r\n' },
      {},
      'native',
      /^android\/gradlew has Windows line endings \(CRLF\)/,
    ],
    [
      'no wrapper',
      { 'android/gradlew': null },
      {},
      'native',
      /^There is no android\/gradlew: run "gradle wrapper"/,
    ],
    [
      'no jar of the wrapper',
      { 'android/gradle/wrapper/gradle-wrapper.jar': null },
      {},
      'native',
      /^There is no android\/gradle\/wrapper\/gradle-wrapper\.jar: remove "\*\.jar"/,
    ],
    [
      'a Java that is not there',
      {},
      { environment: { JAVA_VERSION: '11' } },
      'configuration',
      /^This runner does not have the JDK that JAVA_VERSION names \("11"\): it has [\d, ]+\.$/,
    ],
    [
      'an output that leads out of the project',
      {
        'android/after-gradle.sh': 'ln -sf /etc/passwd app/build/outputs/apk/debug/app-debug.apk',
      },
      {},
      'output',
      /leads out of the project\.$/,
    ],
    [
      'an output that is a FIFO',
      {
        'android/after-gradle.sh':
          'cd app/build/outputs/apk/debug; rm app-debug.apk; mkfifo app-debug.apk; cd -',
      },
      {},
      'output',
      /is not an ordinary file\.$/,
    ],
    [
      'metadata that names a file elsewhere',
      {
        'android/after-gradle.sh':
          'sed -i "s#app-debug.apk#../../x.apk#" app/build/outputs/apk/debug/output-metadata.json',
      },
      {},
      'output',
      /names a file that is no apk\.$/,
    ],
    [
      'more files than a build can have',
      {
        'android/after-gradle.sh': `node -e '${writeMetadata(`Array.from({ length: 60 }, (_, i) => i + ".apk")`)}'
cd app/build/outputs/apk/debug; for i in $(seq 0 59); do ln app-debug.apk $i.apk; done; cd -`,
      },
      {},
      'output',
      /^Gradle made 60 files, and a build can have 49: build fewer splits\.$/,
    ],
    [
      'files that take more space than they have on the disk of the build',
      {
        'android/after-gradle.sh': `node -e '${writeMetadata('[1, 2, 3, 4, 5].map((i) => i + ".apk")')}'
cd app/build/outputs/apk/debug; truncate -s 1000M 1.apk; for i in 2 3 4 5; do ln 1.apk $i.apk; done; cd -`,
      },
      {},
      'output',
      /^The files that Gradle made have more than 4 GiB\.$/,
    ],
    [
      'two files of one name',
      { 'android/after-gradle.sh': `node -e '${writeMetadata('["a.apk", "a-unsigned.apk"]')}'` },
      {},
      'output',
      /^Gradle names a\.apk twice\.$/,
    ],
    [
      'the only variant, which is another one',
      {
        'android/after-gradle.sh':
          'sed -i s/debug/release/g app/build/outputs/apk/debug/output-metadata.json',
      },
      {},
      'output',
      /^Gradle built release, and not the variant debug: set ANDROID_FLAVOR and ANDROID_BUILD_TYPE to what the project has\.$/,
    ],
    [
      'an alias that tools take for an option',
      {},
      { type: 'release', certificate: CERTIFICATE },
      'sign',
      /^The alias "-key" of the certificate begins with "-", which the tools that sign take for an option: /,
    ],
    [
      'such an alias for Gradle, too',
      {},
      { type: 'release', certificate: CERTIFICATE, environment: { ANDROID_GRADLE_SIGNING: 'true' } },
      'sign',
      /^The alias "-key" of the certificate begins with "-"/,
    ],
    [
      'several variants without a flavor',
      {
        'android/after-gradle.sh':
          'mv after-gradle.sh done.sh; ./gradlew :app:assembleFreeDebug :app:assemblePaidDebug; rm -r app/build/outputs/apk/debug',
      },
      {},
      'output',
      /^Gradle built several variants \(freeDebug, paidDebug\): set ANDROID_FLAVOR to choose one\.$/,
    ],
  ];

  it.each(someOf(refusals))('refuses %s with a sentence', async (_case, files, more, step, message) => {
    const project = capacitorProject('shop', files);
    expect(await fail(project, more)).toMatchObject({ step, message: expect.stringMatching(message) });
  });

  it('says where it looked when there is no Android project at all', async () => {
    const { message } = await fail({ 'package.json': '{"scripts":{"build":"true"}}' });
    expect(message).toMatch(/^The repository has no Android project .*"npx cap add android"/);
  });

  it('makes a wrapper executable that lost its mode', async () => {
    const config = { cloud: { apps: [{ appId: 'shop', dependencyInstallCommand: 'chmod 644 gradlew' }] } };
    const { log } = await succeed(nativeProject({ 'capawesome.config.json': JSON.stringify(config) }));
    expect(log).toContain('Made gradlew executable\n');
  });

  it('takes no output that was there before', async () => {
    const stale = {
      'app/build/outputs/apk/debug/stale.apk': 'stale',
      'app/build/outputs/apk/debug/output-metadata.json': JSON.stringify({
        variantName: 'debug',
        elements: [{ outputFile: 'stale.apk' }],
      }),
      gradlew: '#!/bin/sh\necho nothing\n',
    };
    const { message } = await fail(nativeProject(stale));
    expect(message).toBe('Gradle made no apk with an output-metadata.json in app/build/outputs/apk.');
  });

  it('reports nothing of the metadata that the API would refuse', async () => {
    const script = `sed -i 's/"versionName":"1.2"/"versionName":"1.2\\\\u0000"/' app/build/outputs/apk/debug/output-metadata.json`;
    const { reports, log } = await succeed(capacitorProject('shop', { 'android/after-gradle.sh': script }));
    expect([reports, log]).toEqual([[{ packageName: 'com.acme.shop' }], expect.any(String)]);
  });

  it('follows no link that an installation put into the place of Gradle’s home', async () => {
    const config = {
      cloud: {
        apps: [
          {
            appId: 'shop',
            dependencyInstallCommand: 'ln -s /etc "$(dirname "$npm_config_cache")/../gradle"; true',
          },
        ],
      },
    };
    const { error } = await build(nativeProject({ 'capawesome.config.json': JSON.stringify(config) }));
    expect(error === null || (error as { step: string }).step === 'native').toBe(true);
  });

  it('keeps what Gradle downloaded for the next build of the default branch', async () => {
    const files = nativeProject();
    const first = await succeed(files, { isDefaultBranch: true, appId: 'cached' });
    expect(first.log).toContain('Cached: nothing\n');
    const second = await succeed(files, { isDefaultBranch: true, appId: 'cached' });
    expect(second.log).toContain('Cached: downloaded\n');
    const { cacheDir } = bench;
    const kept = await readdir(cacheDir, { recursive: true });
    expect(kept.filter((path) => path.endsWith('gradle.properties'))).toEqual([]);
  });

  it('gives Gradle nothing of a task or a plugin that caches wrongly', async () => {
    const cached = (path: string): string => `
made="$GRADLE_USER_HOME/caches/${path}/made"
if [ -e "$made" ]; then cp "$made" made; fi`;
    const keep = (path: string): string =>
      `mkdir -p "$GRADLE_USER_HOME/caches/${path}" && cp made "$GRADLE_USER_HOME/caches/${path}/made"`;
    const always = ['build-cache-1', 'acme', '8.9/executionHistory'];
    const derived = ['transforms-3', 'jars-9', '8.9/transforms'];
    const paths = [...always, ...derived];
    const make = async (paths: readonly string[], text: string, more: object): Promise<string> => {
      const script = `${paths.map(cached).join('\n')}
[ -e made ] || echo "$API $SECRET $(cat text)" > made
${paths.map(keep).join('\n')}
mkdir -p app/src/main/assets && cp made app/src/main/assets/made.txt`;
      const files = nativeProject({ 'before-gradle.sh': script, text });
      const { files: built } = await succeed(files, {
        isDefaultBranch: true,
        appId: `wrong-${paths.length}`,
        ...more,
      });
      return (await readZip(built[0]!.path))['assets/made.txt'] ?? '';
    };
    const first = { environment: { API: 'old' }, secrets: { SECRET: 'leaked' } };
    expect(await make(paths, 'first', first)).toBe('old leaked first\n');
    expect(await make(paths, 'first', { ...first, secrets: { SECRET: 'rotated' } })).toBe(
      'old rotated first\n',
    );
    expect(await make(paths, 'first', { ...first, environment: { API: 'new' } })).toBe('new leaked first\n');
    const none = { displayName: null, versionName: null, buildNumber: null };
    const configuration = { ...none, packageName: 'com.acme.beta' };
    expect(await make(paths, 'other', { ...first, configuration })).toBe('old leaked other\n');
    // Gradle keeps what it has derived under the hash of what went in; all else begins empty, whatever has changed.
    expect(await make(always, 'first', first)).toBe('old leaked first\n');
    expect(await make(always, 'second', first)).toBe('old leaked second\n');
  });

  it('builds where a configuration that is a program says', async () => {
    const cap = `#!/usr/bin/env node
const config = { app: { webDir: 'dist' }, android: { platformDir: 'native/droid' } };
if (process.argv[2] === 'config') console.log(JSON.stringify(config));
else require('node:fs').cpSync('dist', 'native/droid/app/src/main/assets/public', { recursive: true });
`;
    const { files, log } = await succeed(
      capacitorProject('shop', {
        'capacitor.config.json': null,
        'capacitor.config.ts': 'export default {}',
        'tool.cjs': cap,
        ...gradleProject('native/droid/'),
        'native/droid/app/build.gradle': BUILD_GRADLE.replace('"1.2"', '"9.9"'),
      }),
    );
    expect(badging(files[0]!.path)).toContain("versionName='9.9'");
    expect(log).toContain('capacitor.config.ts says that the Android project is in native/droid\n');
  });

  it('packs no web assets that were there before the build', async () => {
    const scripts = { build: 'node -e 0' };
    const stale = { 'package.json': JSON.stringify({ name: 'shop', scripts }), 'dist/index.html': 'old' };
    const { step, message } = await fail(capacitorProject('shop', stale));
    expect([step, message]).toEqual([
      'output',
      expect.stringMatching(
        /^The command "npm run build" wrote nothing to "dist", so what is there is older than this build: /,
      ),
    ]);
  });

  it('replaces what a configuration names, and nothing else', async () => {
    const { files, log } = await succeed(capacitorProject('shop'), {
      configuration: {
        displayName: `Tom's "Shop" & <Café> @home`,
        packageName: 'com.acme.shop.beta',
        versionName: '3.0.0-rc.1',
        buildNumber: 4711,
      },
    });
    const text = badging(files[0]!.path);
    expect(text).toContain("package: name='com.acme.shop.beta' versionCode='4711' versionName='3.0.0-rc.1'");
    // aapt prints quotes with a backslash.
    const label = `label='Tom's \\"Shop\\" & <Café> @home'`;
    expect(text).toContain(`application: ${label}`);
    expect(text).toContain(`launchable-activity: name='com.acme.shop.MainActivity'  ${label}`);
    expect(log).toContain('The configuration sets the package name: com.acme.shop.beta\n');
    expect(log).toContain('Changed android/app/build.gradle, android/app/src/main/res/values/strings.xml\n');
  });

  it('replaces values in config.xml of Cordova', async () => {
    const { files } = await succeed(cordovaProject('shop'), {
      configuration: { displayName: 'Beta', packageName: 'com.acme.beta', versionName: '9', buildNumber: 12 },
    });
    const text = badging(files[0]!.path);
    expect(text).toContain("package: name='com.acme.beta' versionCode='12' versionName='9'");
    expect(text).toContain("application-label:'Beta'");
  });

  it.each<[string, ProjectFiles, object, RegExp]>([
    [
      'several package names',
      {
        'android/app/build.gradle': `${BUILD_GRADLE}\nandroid { productFlavors { free { applicationId 'com.acme.free' } } }\n`,
      },
      { packageName: 'com.acme.beta' },
      /^The configuration sets the package name, which has 2 places in android\/app\/build\.gradle/,
    ],
    [
      'a version that is put together',
      { 'android/app/build.gradle': BUILD_GRADLE.replace('"1.2"', 'rootProject.version') },
      { versionName: '2' },
      /^The configuration sets the version, but android\/app\/build\.gradle has no versionName with a plain value\.$/,
    ],
    [
      'a name in several languages',
      {
        'android/app/src/main/res/values-de/strings.xml':
          '<resources><string name="app_name">Laden</string></resources>',
      },
      { displayName: 'Beta' },
      /places in android\/app\/src\/main\/res\/values\/strings\.xml, android\/app\/src\/main\/res\/values-de\/strings\.xml/,
    ],
  ])('refuses %s', async (_case, files, configuration, message) => {
    const none = { displayName: null, packageName: null, versionName: null, buildNumber: null };
    const failure = await fail(capacitorProject('shop', files), {
      configuration: { ...none, ...configuration },
    });
    expect(failure).toMatchObject({ step: 'configuration', message: expect.stringMatching(message) });
  });
});
