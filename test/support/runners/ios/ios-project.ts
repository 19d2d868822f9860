import { type FixtureTarget, xcodeProject } from './xcode-fixture.ts';

/** The bundle id of the app. */
export const BUNDLE_ID = 'com.acme.shop';

/** The files of a project by path; `null` removes one. */
export type ProjectFiles = Readonly<Record<string, string | null>>;

/** How a project is made. */
export interface IosProjectOptions {
  /** Default: Swift packages. */
  readonly hasPods?: boolean;
  readonly hasWidget?: boolean;
  /** Files that differ. */
  readonly files?: ProjectFiles;
}

const APP: FixtureTarget = { name: 'App', bundleId: BUNDLE_ID };
const WIDGET: FixtureTarget = { name: 'Widget', bundleId: `${BUNDLE_ID}.widget`, kind: 'extension' };

/**
 * A stand-in for the command of Capacitor: copies the web assets, and installs pods as `ios/update.js` of @capacitor/cli does:
 * by Bundler if a Gemfile names CocoaPods, not at all if there is no `pod`; then it cleans the project.
 */
const CAP = `#!/usr/bin/env node
const fs = require('node:fs');
const { execFileSync } = require('node:child_process');
if (process.argv.slice(2).join(' ') !== 'sync ios') process.exit(2);
const cwd = 'ios/App';
fs.cpSync('dist', cwd + '/App/public', { recursive: true });
const run = (program, ...args) => execFileSync(program, args, { cwd, stdio: 'inherit' });
if (fs.existsSync(cwd + '/Podfile')) {
  const gemfile = ['Gemfile', cwd + '/Gemfile'].find((path) => fs.existsSync(path));
  if (gemfile) run('bundle', 'exec', 'pod', 'install');
  else {
    try { execFileSync('which', ['pod']); } catch { console.log('[warn] Skipping pod install because CocoaPods is not installed'); process.exit(0); }
    run('pod', 'install');
  }
  run('xcodebuild', '-project', 'App.xcodeproj', 'clean');
}
console.log('Synced');
`;

/** One for the command of Cordova: makes the project from config.xml. */
const CORDOVA = `#!/usr/bin/env node
const fs = require('node:fs');
if (process.argv.slice(2).join(' ') !== 'prepare ios') process.exit(2);
const app = 'platforms/ios';
const config = fs.readFileSync('config.xml', 'utf8');
const read = (pattern) => (pattern.exec(config) ?? [])[1];
fs.cpSync('template', app, { recursive: true });
fs.cpSync('www', app + '/www', { recursive: true });
const id = read(/ ios-CFBundleIdentifier="([^"]*)"/) ?? read(/ id="([^"]*)"/);
const version = read(/ version="([^"]*)"/);
const build = read(/ ios-CFBundleVersion="([^"]*)"/) ?? version;
const path = app + '/App.xcodeproj/project.pbxproj';
const text = fs.readFileSync(path, 'utf8')
  .replaceAll('= ${BUNDLE_ID};', '= ' + id + ';')
  .replaceAll('MARKETING_VERSION = 1.2', 'MARKETING_VERSION = ' + version)
  .replaceAll('CURRENT_PROJECT_VERSION = 7', 'CURRENT_PROJECT_VERSION = ' + build);
fs.writeFileSync(path, text);
const info = app + '/App/Info.plist';
fs.writeFileSync(info, fs.readFileSync(info, 'utf8').replace('>Shop<', '>' + read(/<name[^>]*>([^<]*)</) + '<'));
`;

const PODFILE = `platform :ios, '15.0'
use_frameworks!

target 'App' do
  pod 'Capacitor', :path => '../../node_modules/@capacitor/ios'
  pod 'CapacitorCordova', :path => '../../node_modules/@capacitor/ios'
end
`;

/**
 * A Capacitor project that the stand-ins build.
 *
 * @param appId for capawesome.config.json
 */
export function capacitorIosProject(
  appId: string,
  { hasPods = false, hasWidget = false, files = {} }: IosProjectOptions = {},
): Record<string, string> {
  return without({
    ...packageOf(appId, 'cap', CAP, 'dist'),
    'capacitor.config.json': JSON.stringify({ appId: BUNDLE_ID, appName: 'Shop', webDir: 'dist' }),
    ...xcodeProject('ios/App/', hasWidget ? [APP, WIDGET] : [APP], !hasPods),
    ...(hasPods ? { 'ios/App/Podfile': PODFILE } : {}),
    ...files,
  });
}

/** A Cordova project. */
export function cordovaIosProject(appId: string, files: ProjectFiles = {}): Record<string, string> {
  return without({
    ...packageOf(appId, 'cordova', CORDOVA, 'www'),
    'config.xml': `<?xml version='1.0' encoding='utf-8'?>
<widget id="${BUNDLE_ID}" version="2.0.1" xmlns="http://www.w3.org/ns/widgets">
    <name>Shop</name>
</widget>
`,
    'www/index.html': '<p>Hello',
    ...xcodeProject('template/', [APP]),
    ...files,
  });
}

/** A native project without package.json. */
export function nativeIosProject(files: ProjectFiles = {}): Record<string, string> {
  return without({ ...xcodeProject('', [APP]), ...files });
}

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

function without(files: ProjectFiles): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
