import { join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import { copyWithoutSignatures } from './copy-without-signatures.js';
import { parseSigners, type SigningKey, certificateOf } from './keystore.js';
import { KEY_PASSWORD, type SigningCommands, type SigningEnd, STORE_PASSWORD } from './signing-commands.js';
import type { AabPrograms } from './signing-tools.js';

const UNSIGNED = 'unsigned.aab';
const SIGNED = 'signed.aab';

/** Algorithms by the type of the key. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  rsa: 'SHA256withRSA',
  ec: 'SHA256withECDSA',
  dsa: 'SHA256withDSA',
};

/** Bits of the exit code of `jarsigner -verify -strict`: it could not verify, or found a file that is not signed. */
const NOT_VERIFIED = 1 | 16;

/**
 * Removes the signatures of an Android App Bundle, signs it, and verifies that it has this signer and no other.
 *
 * @returns the signed file, and what the log says about how
 * @throws StepError
 * @throws the reason of the signal
 */
export async function signAab(
  commands: SigningCommands,
  { keytool, jarsigner }: AabPrograms,
  path: string,
  { alias, certificate }: SigningKey,
  signal: AbortSignal,
): Promise<{ readonly signed: string; readonly schemes: string }> {
  const algorithm = ALGORITHMS[certificate.publicKey.asymmetricKeyType ?? ''];
  if (algorithm === undefined) {
    throw new StepError(
      'sign',
      'The key of the certificate is of a type that signs no app bundle: use RSA or EC.',
    );
  }
  const removed = await copyWithoutSignatures(path, join(commands.folder, UNSIGNED), signal);
  const options = commands.javaOptions.map((option) => `-J-${option}`);
  const keystore = [
    '-keystore',
    commands.keystore,
    '-storepass:env',
    STORE_PASSWORD,
    '-keypass:env',
    KEY_PASSWORD,
  ];
  const algorithms = ['-sigalg', algorithm, '-digestalg', 'SHA-256'];
  const signing = await commands.runWithKey([
    jarsigner,
    ...options,
    ...keystore,
    ...algorithms,
    '-signedjar',
    SIGNED,
    UNSIGNED,
    alias,
  ]);
  if (signing.exitCode !== 0) throw commands.failed(reasonOf(signing, alias), signing);
  const verified = await commands.run([jarsigner, ...options, '-verify', '-strict', SIGNED]);
  const printed = await commands.run([keytool, ...options, '-printcert', '-rfc', '-jarfile', SIGNED]);
  const signers = parseSigners(printed.output);
  const isGood =
    (verified.exitCode & NOT_VERIFIED) === 0 &&
    /^jar verified/m.test(verified.output) &&
    signers.length === 1 &&
    certificateOf(signers[0] ?? '').fingerprint256 === certificate.fingerprint256;
  if (!isGood) throw commands.failed('The signature of the app bundle could not be verified.', verified);
  const instead = removed === 0 ? '' : `, in place of ${removed} files of an earlier signature`;
  return { signed: SIGNED, schemes: `${algorithm}${instead}` };
}

/** Why jarsigner could not sign. The keystore has been read, and has a private key with this alias. */
function reasonOf({ exitCode, output }: SigningEnd, alias: string): string {
  if (/not a private key|unable to recover key|Cannot recover key/i.test(output)) {
    return `The key password of the certificate does not open the key "${alias}".`;
  }
  return `jarsigner could not sign the app bundle (exit code ${exitCode}).`;
}
