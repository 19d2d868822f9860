import { copyFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import type { SigningKey } from './keystore.js';
import { KEY_PASSWORD, type SigningCommands, type SigningEnd, STORE_PASSWORD } from './signing-commands.js';
import type { ApkPrograms } from './signing-tools.js';

const UNSIGNED = 'unsigned.apk';
const ALIGNED = 'aligned.apk';
const SIGNED = 'signed.apk';

/** Aligns native libraries to pages of 16 KiB; zipalign before build-tools 35 knows pages of 4 KiB only. */
const ALIGNMENTS = [['-P', '16'], ['-p']] as const;
/** Exit code of zipalign for an option that it does not know. */
const UNKNOWN_OPTION = 2;

/**
 * Aligns an APK, signs it with every scheme that its minimum version of Android needs, and verifies that it has this signer
 * and no other.
 *
 * @returns the signed file, and the schemes for the log
 * @throws StepError
 */
export async function signApk(
  commands: SigningCommands,
  { apksigner, zipalign }: ApkPrograms,
  path: string,
  { alias, certificate }: SigningKey,
): Promise<{ readonly signed: string; readonly schemes: string }> {
  await copyFile(path, join(commands.folder, UNSIGNED), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await align(commands, zipalign);
  const options = commands.javaOptions.map((option) => `-J${option}`);
  const keystore = ['--ks', commands.keystore, '--ks-key-alias', alias];
  const passwords = ['--ks-pass', `env:${STORE_PASSWORD}`, '--key-pass', `env:${KEY_PASSWORD}`];
  const signing = await commands.runWithKey([
    apksigner,
    ...options,
    'sign',
    ...keystore,
    ...passwords,
    '--out',
    SIGNED,
    ALIGNED,
  ]);
  if (signing.exitCode !== 0) throw commands.failed(reasonOf(signing, alias), signing);
  const verified = await commands.run([
    apksigner,
    ...options,
    'verify',
    '--verbose',
    '--print-certs',
    SIGNED,
  ]);
  const { schemes, signers } = parseVerification(verified.output);
  const expected = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  const isGood = signers.length > 0 && signers.every((signer) => signer === expected);
  if (verified.exitCode !== 0 || !isGood || !schemes.some((scheme) => scheme !== 'v1')) {
    throw commands.failed('The signature of the APK could not be verified.', verified);
  }
  return { signed: SIGNED, schemes: schemes.join(', ') };
}

async function align(commands: SigningCommands, zipalign: string): Promise<void> {
  for (const alignment of ALIGNMENTS) {
    const aligned = await commands.run([zipalign, '-f', ...alignment, '4', UNSIGNED, ALIGNED]);
    if (aligned.exitCode === 0) return;
    const isLast = alignment === ALIGNMENTS.at(-1);
    if (isLast || aligned.exitCode !== UNKNOWN_OPTION) {
      throw commands.failed('The APK cannot be aligned: it is damaged.', aligned);
    }
  }
}

/** Why apksigner could not sign. The store password is right: the keystore has been read. */
function reasonOf({ exitCode, output }: SigningEnd, alias: string): string {
  if (/Wrong password\?|UnrecoverableKeyException|Cannot recover key/i.test(output)) {
    return `The key password of the certificate does not open the key "${alias}".`;
  }
  return `apksigner could not sign the APK (exit code ${exitCode}).`;
}

/**
 * @param output what `apksigner verify --verbose --print-certs` printed
 * @returns the schemes such as `v2`, and the SHA-256 of the certificates of all signers, each once
 */
export function parseVerification(output: string): {
  readonly schemes: readonly string[];
  readonly signers: readonly string[];
} {
  const schemes = [...output.matchAll(/^Verified using (v\d(?:\.\d)?) scheme .*: true$/gm)];
  const signers = [
    ...output.matchAll(/^(?!Source Stamp).*Signer.* certificate SHA-256 digest: ([0-9a-f]{64})$/gm),
  ];
  return {
    schemes: schemes.map(([, scheme = '']) => scheme).filter((scheme) => scheme !== 'v4'),
    signers: [...new Set(signers.map(([, digest = '']) => digest))],
  };
}
