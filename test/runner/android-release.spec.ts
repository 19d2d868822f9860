import { readdir, readFile } from 'node:fs/promises';
import { createAndroidBench } from '../support/runners/android/android-bench.js';
import { capacitorProject, hasGradleTools, zipProject } from '../support/runners/android/android-project.js';
import {
  KEY_PASSWORD,
  makeKeystore,
  STORE_PASSWORD,
  type TestKeystore,
} from '../support/runners/android/keystores.js';
import { signersOf, verifyApk } from '../support/runners/android/signing-bench.js';
import type { BenchBuild, BenchResult, BuildBench } from '../support/runners/build-bench.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';

const tools = hasSandbox && hasGradleTools;

(tools ? describe : describe.skip)('a release build with a certificate', () => {
  let bench: BuildBench;
  let keystore: TestKeystore;
  beforeAll(async () => {
    bench = await createAndroidBench();
    keystore = await makeKeystore('PKCS12', [{ alias: 'upload' }], { keyAlias: 'upload' });
  });

  async function build(more: Omit<BenchBuild, 'source'> = {}, files = {}): Promise<BenchResult> {
    const source = await zipProject(capacitorProject('shop', files));
    const { certificate } = keystore;
    return bench.build({ source, platform: 'android', type: 'release', certificate, ...more });
  }

  const digest = (): string => keystore.fingerprints['upload']!.replaceAll(':', '').toLowerCase();

  it('is signed by the runner, apart from the build', async () => {
    const probe = 'env; cat "$GRADLE_USER_HOME/gradle.properties"; ls -a "$HOME"';
    const { error, files, log } = await build({}, { 'android/before-gradle.sh': probe });
    expect(error).toBeNull();
    expect(files.map(({ fileName }) => fileName)).toEqual([
      'app-release.aab',
      'app-release.apk',
      'symbols.zip',
    ]);
    expect(verifyApk(files[1]!.path)).toContain(`certificate SHA-256 digest: ${digest()}\n`);
    expect(signersOf(files[0]!.path)).toContain(keystore.fingerprints['upload']!);
    expect(log).not.toContain(STORE_PASSWORD);
    expect(log).not.toMatch(/android\.injected|\.signing-/);
    expect(log).toMatch(/^Signed and verified app-release\.aab: /m);
  });

  it('keeps the signature of Gradle for debug builds, and says so', async () => {
    const { files, log } = await build({ type: 'debug' });
    expect(verifyApk(files[0]!.path)).toContain('CN=Android Debug');
    expect(log).toContain('Debug builds keep the signature of Gradle, so the certificate is not used\n');
  });

  it('is signed by Gradle only if ANDROID_GRADLE_SIGNING says so, and leaves no key', async () => {
    const probe = `
ls -l "$GRADLE_USER_HOME/gradle.properties" | cut -c1-10
tr '\\0' '\\n' < /proc/self/environ | grep -c 'store .pass.' || true
`;
    const { error, files, log, folders } = await build(
      { environment: { ANDROID_GRADLE_SIGNING: 'true' } },
      { 'android/before-gradle.sh': probe },
    );
    expect([error, error === null ? '' : log]).toEqual([null, '']);
    expect(files.map(({ fileName }) => fileName)).toContain('app-release.apk');
    expect(verifyApk(files[1]!.path)).toContain(`certificate SHA-256 digest: ${digest()}\n`);
    expect(signersOf(files[0]!.path)).toContain(keystore.fingerprints['upload']!);
    expect(log).toContain('\n-rw-------\n0\n');
    expect(log).toContain('Gradle signs (ANDROID_GRADLE_SIGNING): the build can read the key');
    expect(log).not.toContain('Signed and verified');
    const key = Buffer.from(keystore.certificate.file, 'base64');
    for (const path of await readdir(folders.root, { recursive: true, withFileTypes: true })) {
      if (!path.isFile()) continue;
      const content = await readFile(`${path.parentPath}/${path.name}`);
      expect([path.name, content.includes(key), content.includes('store "pass"')]).toEqual([
        path.name,
        false,
        false,
      ]);
    }
  });

  it('fails where Gradle did not sign although it should', async () => {
    const { error, files } = await build(
      { environment: { ANDROID_GRADLE_SIGNING: 'true' } },
      { 'android/before-gradle.sh': 'sed -i /injected/d "$GRADLE_USER_HOME/gradle.properties"' },
    );
    expect(error).toMatchObject({
      step: 'sign',
      message:
        'ANDROID_GRADLE_SIGNING is set, but Gradle did not sign app-release.aab: remove the variable, and the runner signs.',
    });
    expect(files).toEqual([]);
  });

  it.each([
    [
      { environment: { ANDROID_GRADLE_SIGNING: 'true' }, certificate: null },
      /^ANDROID_GRADLE_SIGNING is set, but the build has no certificate\.$/,
    ],
    [{ environment: { ANDROID_GRADLE_SIGNING: 'yes' } }, /^ANDROID_GRADLE_SIGNING must be true or false\.$/],
  ])('refuses %j', async (more, message) => {
    const { error } = await build(more);
    expect(error).toMatchObject({ step: 'configuration', message: expect.stringMatching(message) });
  });

  it('fails where the passwords do not open the key', async () => {
    const wrong = { ...keystore.certificate, password: KEY_PASSWORD };
    const { error, files, log } = await build({ certificate: wrong });
    expect(error).toMatchObject({ step: 'sign' });
    expect(files).toEqual([]);
    expect(log).not.toContain(KEY_PASSWORD);
  });
});
