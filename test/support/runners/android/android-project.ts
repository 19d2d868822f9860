import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipOf } from '../../live-updates/archives.js';
import { hasAndroidTools } from './android-tools.js';

const FIXTURE = join(import.meta.dirname, '../../../runner/fixtures/android-app');

/** Whether this machine has what the stand-in for Gradle runs: besides the tools of Android, JDK 17. */
export const hasGradleTools =
  hasAndroidTools &&
  existsSync('/usr/bin/aapt2') &&
  readdirSync('/usr/lib/jvm').some(
    (name) => existsSync(`/usr/lib/jvm/${name}/bin/javac`) && /\b17\b/.test(name),
  );

/** The files of a project by path; `null` removes one. */
export type ProjectFiles = Readonly<Record<string, string | null>>;

export const STRINGS = `<?xml version='1.0' encoding='utf-8'?>
<resources>
    <string name="app_name">Shop</string>
    <string name="title_activity_main">Shop</string>
    <string name="package_name">com.acme.shop</string>
    <string name="custom_url_scheme">com.acme.shop</string>
</resources>
`;

export const BUILD_GRADLE = `apply plugin: 'com.android.application'

android {
    namespace "com.acme.shop"
    defaultConfig {
        applicationId "com.acme.shop"
        versionCode 7
        versionName "1.2"
    }
}
`;

/** A stand-in for the command of Capacitor: copies the web assets. */
const CAP = `#!/usr/bin/env node
const fs = require('node:fs');
if (process.argv.slice(2).join(' ') !== 'sync android') process.exit(2);
fs.cpSync('dist', 'android/app/src/main/assets/public', { recursive: true });
console.log('Synced');
`;

/** One for the command of Cordova: makes the project from config.xml, and builds it as Cordova does. */
const CORDOVA = `#!/usr/bin/env node
const fs = require('node:fs');
const { execFileSync } = require('node:child_process');
const [command, platform, type, , packageType] = process.argv.slice(2);
const app = 'platforms/android';
if (command === 'prepare' && platform === 'android') {
  const config = fs.readFileSync('config.xml', 'utf8');
  const read = (pattern) => (pattern.exec(config) ?? [])[1];
  fs.cpSync('template', app, { recursive: true });
  fs.cpSync('www', app + '/app/src/main/assets/www', { recursive: true });
  const edit = (path, pairs) => {
    let text = fs.readFileSync(app + path, 'utf8');
    for (const [from, to] of pairs) text = text.replaceAll(from, to);
    fs.writeFileSync(app + path, text);
  };
  edit('/app/src/main/res/values/strings.xml', [['>Shop<', '>' + read(/<name[^>]*>([^<]*)</) + '<']]);
  edit('/app/build.gradle', [
    ['applicationId "com.acme.shop"', 'applicationId "' + read(/ id="([^"]*)"/) + '"'],
    ['versionCode 7', 'versionCode ' + (read(/android-versionCode="([^"]*)"/) ?? 10)],
    ['"1.2"', '"' + read(/ version="([^"]*)"/) + '"'],
  ]);
  fs.writeFileSync(app + '/cdv-gradle-config.json', JSON.stringify({ AGP_VERSION: '8.3.0' }));
} else if (command === 'compile' && platform === 'android') {
  const verb = packageType === '--packageType=bundle' ? 'bundle' : 'assemble';
  const task = ':app:' + verb + (type === '--release' ? 'Release' : 'Debug');
  execFileSync('./gradlew', [task], { cwd: app, stdio: 'inherit' });
} else process.exit(2);
`;

/** The Gradle project, whose wrapper runs the tools of Debian. @param dir `''`, or with `/` at its end */
export function gradleProject(dir: string): Record<string, string> {
  return {
    [`${dir}gradlew`]: fixture('gradlew'),
    [`${dir}gradle/wrapper/gradle-wrapper.jar`]: 'no archive',
    [`${dir}settings.gradle`]: "include ':app'\n",
    [`${dir}build.gradle`]:
      "buildscript { dependencies { classpath 'com.android.tools.build:gradle:8.5.0' } }\n",
    [`${dir}app/build.gradle`]: BUILD_GRADLE,
    [`${dir}app/src/main/AndroidManifest.xml`]: fixture('AndroidManifest.xml'),
    [`${dir}app/src/main/res/values/strings.xml`]: STRINGS,
    [`${dir}app/src/main/smali/MainActivity.smali`]: fixture('MainActivity.smali'),
  };
}

/**
 * A Capacitor project that builds without a network, the SDK and Gradle.
 *
 * @param appId for capawesome.config.json
 * @param files that differ
 */
export function capacitorProject(appId: string, files: ProjectFiles = {}): Record<string, string> {
  return without({
    ...packageOf(appId, 'cap', CAP, 'dist'),
    'capacitor.config.json': JSON.stringify({ appId: 'com.acme.shop', appName: 'Shop', webDir: 'dist' }),
    ...gradleProject('android/'),
    ...files,
  });
}

/** A Cordova project. As `capacitorProject`. */
export function cordovaProject(appId: string, files: ProjectFiles = {}): Record<string, string> {
  return without({
    ...packageOf(appId, 'cordova', CORDOVA, 'www'),
    'config.xml': `<?xml version='1.0' encoding='utf-8'?>
<widget id="com.acme.shop" version="2.0.1" xmlns="http://www.w3.org/ns/widgets">
    <name>Shop</name>
    <author email="a@example.com"><name>no name of the app</name></author>
</widget>
`,
    'www/index.html': '<p>Hello',
    ...gradleProject('template/'),
    ...files,
  });
}

/** A native project without package.json. As `capacitorProject`. */
export function nativeProject(files: ProjectFiles = {}): Record<string, string> {
  return without({ ...gradleProject(''), ...files });
}

/** A source that users upload. */
export const zipProject: (files: Readonly<Record<string, string>>) => Promise<Buffer> = zipOf;

function packageOf(appId: string, name: string, program: string, webDir: string): Record<string, string> {
  const install = `mkdir -p node_modules/.bin && cp tool.cjs node_modules/.bin/${name} && chmod +x node_modules/.bin/${name}`;
  return {
    'package.json': JSON.stringify({
      name: 'shop',
      private: true,
      scripts: { build: `mkdir -p ${webDir} && echo hello > ${webDir}/index.html` },
    }),
    'capawesome.config.json': JSON.stringify({
      cloud: { apps: [{ appId, dependencyInstallCommand: install }] },
    }),
    'tool.cjs': program,
  };
}

function fixture(name: string): string {
  return readFileSync(join(FIXTURE, name), 'utf8');
}

function without(files: ProjectFiles): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
