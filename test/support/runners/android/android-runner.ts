import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestApp } from '../../../builders/app.js';
import { createCertificate } from '../../../builders/certificate.js';
import { testEnvironment } from '../../../setup/test-environment.js';
import { temporaryFolder } from '../../processes/temporary-folders.js';
import { RunnerProcess } from '../runner-process.js';
import { registerRunner } from '../start-runner.js';
import { makeKeystore } from './keystores.js';

/**
 * A runner in the real sandbox that finds out for itself that it builds for Android: with a stand-in for the SDK.
 *
 * @param origin its server
 */
export async function startAndroidRunner(
  app: TestApp,
  origin = testEnvironment().origin,
): Promise<RunnerProcess> {
  const dir = await temporaryFolder();
  const sdk = join(dir, 'sdk');
  await mkdir(join(sdk, 'platforms/android-35'), { recursive: true });
  const runner = RunnerProcess.start({
    origin,
    token: await registerRunner(app.tenant),
    dir: join(dir, 'runner'),
    args: [],
    env: { RUNNER_ANDROID_HOME: sdk },
  });
  await runner.waitFor(/waits for jobs .* for android, web,/);
  return runner;
}

/** A certificate of the app with a keystore that keytool made. */
export async function createAndroidCertificate(app: TestApp, name: string): Promise<void> {
  const { certificate } = await makeKeystore('PKCS12', [{ alias: 'upload' }]);
  const fields = {
    name,
    platform: 'android',
    password: certificate.password ?? '',
    keyAlias: 'upload',
  };
  await createCertificate(app, fields, Buffer.from(certificate.file, 'base64'), 'upload.p12');
}
