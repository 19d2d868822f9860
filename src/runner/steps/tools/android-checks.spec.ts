import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { androidChecks } from './android-checks.js';

let sdk: string;
beforeEach(async () => {
  sdk = await mkdtemp(join(tmpdir(), 'slipway-sdk-'));
});
afterEach(() => rm(sdk, { recursive: true, force: true }));

/** The line of one check. */
async function line(name: string, androidHome: string | null = sdk): Promise<string> {
  const checks = await androidChecks({ androidHome, jdkDir: null }, true);
  const found = checks.find((check) => check.name === name);
  return `${found?.status}: ${found?.message}`;
}

it('says that Android is not set up, where it is not wanted', async () => {
  const [only, second] = await androidChecks({ androidHome: null, jdkDir: null }, false);
  expect(only).toMatchObject({ status: 'ok', message: expect.stringContaining('RUNNER_ANDROID_HOME') });
  expect(second).toBeUndefined();
});

it('names what an SDK lacks, in one line each', async () => {
  expect(await line('Android SDK')).toMatch(/^warning: .*platforms is empty/);
  expect(await line('Licences')).toMatch(/^failed: .*"sdkmanager --licenses"\.$/);
  expect(await line('Android SDK', join(sdk, 'absent'))).toMatch(/^failed: .*does not exist\.$/);
  expect(await line('Android SDK', null)).toMatch(/^warning: RUNNER_ANDROID_HOME is not set/);
});

it('shows what an SDK has', async () => {
  for (const name of ['platforms/android-9', 'platforms/android-35', 'licenses', 'build-tools/35.0.0']) {
    await mkdir(join(sdk, name), { recursive: true });
  }
  await writeFile(join(sdk, 'licenses/android-sdk-license'), '');
  for (const name of ['apksigner', 'zipalign']) {
    await writeFile(join(sdk, 'build-tools/35.0.0', name), '', { mode: 0o755 });
  }
  expect(await line('Android SDK')).toBe('ok: android-35, android-9');
  expect(await line('Licences')).toBe('ok: android-sdk-license is accepted.');
  expect(await line('Build-tools')).toBe('ok: 35.0.0');
});
