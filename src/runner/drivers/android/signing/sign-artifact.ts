import { lstat, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { X509Certificate } from 'node:crypto';
import type { PayloadCertificateDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { timed } from '../../../steps/build-project.js';
import { type BuildRun, StepError } from '../../../steps/build-run.js';
import { inStep } from '../../../steps/machine-errors.js';
import { readKeystore } from './keystore.js';
import { signAab } from './sign-aab.js';
import { signApk } from './sign-apk.js';
import { SigningCommands } from './signing-commands.js';
import { findPrograms, foldersOf, type SignableArtifact, type SigningTools } from './signing-tools.js';

/**
 * Signs a package with the certificate of the build, and verifies the signature. The signed package takes the place of the
 * other. Nothing of the build is there while the key is: ADR 50.
 *
 * @throws StepError when it cannot be signed
 * @throws the reason of the signal
 */
export async function signArtifact(
  run: BuildRun,
  artifact: SignableArtifact,
  certificate: PayloadCertificateDto,
  tools: SigningTools,
): Promise<void> {
  await inStep('sign', () => timed(run, 'Signing', () => sign(run, artifact, certificate, tools)));
}

async function sign(
  run: BuildRun,
  { type, path }: SignableArtifact,
  certificate: PayloadCertificateDto,
  tools: SigningTools,
): Promise<void> {
  const programs = await findPrograms(type, tools);
  const sandbox = await run.openSigning(foldersOf(tools));
  try {
    const commands = new SigningCommands(sandbox, certificate, tools.jdk, run.log, run.signal);
    const key = await readKeystore(commands, programs.keytool, certificate.keyAlias);
    run.log.line(`Signing ${basename(path)} with the certificate ${describe(key.certificate)}`);
    warnOfExpiry(run, key.certificate);
    const { signed, schemes } =
      programs.type === 'apk'
        ? await signApk(commands, programs, path, key)
        : await signAab(commands, programs, path, key, run.signal);
    run.signal.throwIfAborted();
    await replace(path, join(sandbox.folder, signed));
    run.log.line(`Signed and verified ${basename(path)}: ${schemes}`);
  } finally {
    await sandbox.close();
  }
}

async function replace(path: string, signed: string): Promise<void> {
  if (!(await lstat(signed)).isFile()) throw new StepError('sign', 'The signed package is not a file.');
  await rename(signed, path);
}

function warnOfExpiry({ log }: BuildRun, { validTo }: X509Certificate): void {
  if (Date.parse(validTo) > Date.now()) return;
  log.line(`WARNING: The certificate expired on ${new Date(validTo).toISOString().slice(0, 10)}`);
}

/** For people: who it belongs to, and which it is. */
function describe({ subject, fingerprint256 }: X509Certificate): string {
  const name = (subject ?? '').split('\n').toReversed().join(', ').slice(0, 300);
  return `${name === '' ? 'without a name' : name}, SHA-256 ${fingerprint256}`;
}
