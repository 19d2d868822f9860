import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { PayloadCertificateDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { type BuildRun, StepError, variableOf } from '../../../steps/build-run.js';
import type { Variant } from './variant.js';

const VARIABLE = 'ANDROID_GRADLE_SIGNING';
const PREFIX = 'android.injected.signing';

/**
 * Whether Gradle signs: then the build sees the key. Otherwise the runner signs afterwards, where no code of the repository
 * runs.
 *
 * @throws StepError when it cannot
 */
export function gradleSigns(run: Pick<BuildRun, 'payload'>, { isDebug }: Variant): boolean {
  const value = variableOf(run, VARIABLE)?.trim().toLowerCase() ?? '';
  if (!['', 'true', 'false'].includes(value)) {
    throw new StepError('configuration', `${VARIABLE} must be true or false.`);
  }
  if (value !== 'true' || isDebug) return false;
  const { certificate } = run.payload;
  if (certificate === null) {
    throw new StepError('configuration', `${VARIABLE} is set, but the build has no certificate.`);
  }
  if (certificate.keyAlias === null || certificate.password === null) {
    throw new StepError(
      'configuration',
      `${VARIABLE} is set, but the certificate has no password or no alias of its key.`,
    );
  }
  return true;
}

/**
 * Gives Gradle the key while work runs: a file of this job, and properties for a file that only the build can read.
 *
 * @param work gets the properties
 */
export async function withGradleKey<R>(
  { folders, sandbox }: BuildRun,
  certificate: PayloadCertificateDto,
  work: (properties: Readonly<Record<string, string>>) => Promise<R>,
): Promise<R> {
  const name = `.signing-${randomUUID()}`;
  const folder = join(folders.home, name);
  await mkdir(folder, { mode: 0o700 });
  try {
    await writeFile(join(folder, 'keystore'), Buffer.from(certificate.file, 'base64'), {
      flag: 'wx',
      mode: 0o600,
    });
    const { password, keyAlias, keyPassword } = certificate;
    return await work({
      [`${PREFIX}.store.file`]: `${sandbox.inner.home}/${name}/keystore`,
      [`${PREFIX}.store.password`]: password ?? '',
      [`${PREFIX}.key.alias`]: keyAlias ?? '',
      [`${PREFIX}.key.password`]: keyPassword ?? password ?? '',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
