import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Jdk } from '../../../steps/tools/jdks.js';
import { findPrograms, foldersOf } from './signing-tools.js';

let jdk: Jdk;
beforeEach(async () => {
  jdk = { home: await mkdtemp(join(tmpdir(), 'slipway-spec-')), major: 21 };
  await mkdir(join(jdk.home, 'bin'));
});
afterEach(() => rm(jdk.home, { recursive: true }));

const add = async (name: string): Promise<void> => {
  await writeFile(join(jdk.home, 'bin', name), '');
  await chmod(join(jdk.home, 'bin', name), 0o755);
};
const buildTools = {
  apksigner: '/sdk/build-tools/35/apksigner',
  zipalign: '/sdk/build-tools/35/zipalign',
  version: '35',
};

it('names what the operator has to install', async () => {
  const java =
    'Java 21 of this runner has no %: its operator installs a whole JDK, such as the package openjdk-21-jdk-headless.';
  await expect(findPrograms('apk', { jdk, buildTools })).rejects.toMatchObject({
    step: 'sign',
    message: java.replace('%', 'keytool'),
  });
  await add('keytool');
  await expect(findPrograms('aab', { jdk, buildTools: null })).rejects.toThrow(
    java.replace('%', 'jarsigner'),
  );
  await expect(findPrograms('apk', { jdk, buildTools: null })).rejects.toThrow(
    'This runner has neither apksigner nor zipalign: its operator installs the build-tools of the Android SDK (RUNNER_ANDROID_HOME), or the packages apksigner and zipalign of Debian.',
  );
});

it('needs no build-tools for an app bundle', async () => {
  await add('keytool');
  await add('jarsigner');
  expect(await findPrograms('aab', { jdk, buildTools: null })).toEqual({
    type: 'aab',
    keytool: join(jdk.home, 'bin/keytool'),
    jarsigner: join(jdk.home, 'bin/jarsigner'),
  });
  expect(foldersOf({ jdk, buildTools: null })).toEqual([jdk.home]);
  expect(foldersOf({ jdk, buildTools })).toEqual([jdk.home, '/sdk/build-tools/35']);
});
