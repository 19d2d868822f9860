import { X509Certificate } from 'node:crypto';
import { aliasProblem } from '../../../../common/keystores/aliases.js';
import { StepError } from '../../../steps/build-run.js';
import { type SigningCommands, type SigningEnd, STORE_PASSWORD } from './signing-commands.js';

export interface SigningKey {
  /** As the keystore has it. */
  readonly alias: string;
  readonly certificate: X509Certificate;
}

/** Aliases that a message names, at most. */
const SHOWN = 10;
const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/;

/**
 * Finds the key of a certificate in its keystore.
 *
 * @param keyAlias `null`: the only one
 * @throws StepError when the keystore cannot be opened, or has no such key
 */
export async function readKeystore(
  commands: SigningCommands,
  keytool: string,
  keyAlias: string | null,
): Promise<SigningKey> {
  const options = commands.javaOptions.map((option) => `-J-${option}`);
  const listed = await commands.runWithKey([
    keytool,
    ...options,
    '-list',
    '-rfc',
    '-keystore',
    commands.keystore,
    '-storepass:env',
    STORE_PASSWORD,
  ]);
  if (listed.exitCode !== 0) throw commands.failed(reasonOf(listed, commands.hasPlainPassword), listed);
  return chooseKey(parseKeys(listed.output), keyAlias);
}

/** Why keytool could not open the keystore. @param hasPlainPassword whether the password is ASCII */
function reasonOf({ output }: SigningEnd, hasPlainPassword: boolean): string {
  if (/password was incorrect|password verification failed/i.test(output)) {
    if (!hasPlainPassword) {
      return 'The password of the certificate does not open its keystore: Java takes only passwords of ASCII characters for PKCS#12, so export the key with such a password.';
    }
    return 'The password of the certificate does not open its keystore.';
  }
  if (/Unrecognized keystore format|Invalid keystore format/.test(output)) {
    return 'The file of the certificate is no keystore that Java reads: use PKCS#12 or JKS.';
  }
  return 'The keystore of the certificate cannot be read: its file is damaged or incomplete.';
}

/** @param output what `keytool -list -rfc` printed @returns the certificates of private keys by alias */
export function parseKeys(output: string): Map<string, string> {
  const keys = new Map<string, string>();
  for (const entry of output.split(/^Alias name: /m).slice(1)) {
    const [alias = ''] = entry.split('\n', 1);
    const [pem] = PEM.exec(entry) ?? [];
    if (/^Entry type: PrivateKeyEntry$/m.test(entry) && pem !== undefined) keys.set(alias.trim(), pem);
  }
  return keys;
}

/** @throws StepError when there is not exactly one that can be meant */
export function chooseKey(keys: ReadonlyMap<string, string>, keyAlias: string | null): SigningKey {
  const aliases = [...keys.keys()];
  if (aliases.length === 0) {
    const named = keyAlias === null ? '' : ` "${keyAlias}" (keyAlias)`;
    throw new StepError(
      'sign',
      `The keystore of the certificate has no private key${named}, only certificates: upload the keystore that signs your app.`,
    );
  }
  if (keyAlias === null && aliases.length > 1) {
    const list = namesOf(aliases);
    throw new StepError(
      'sign',
      `The keystore has ${aliases.length} keys (${list}): set keyAlias of the certificate.`,
    );
  }
  // Java ignores case in both kinds of keystores.
  const wanted = (keyAlias ?? aliases[0] ?? '').trim().toLowerCase();
  const alias = aliases.find((name) => name.toLowerCase() === wanted);
  if (alias === undefined) {
    throw new StepError('sign', `The keystore has no key "${keyAlias}": it has ${namesOf(aliases)}.`);
  }
  requireUsableAlias(alias);
  return { alias, certificate: certificateOf(keys.get(alias) ?? '') };
}

/** New certificates have no other: the API refuses them. @throws StepError */
export function requireUsableAlias(alias: string): void {
  const problem = aliasProblem(alias);
  if (problem === null) return;
  throw new StepError(
    'sign',
    `The alias "${alias}" of the certificate ${problem}, and upload the keystore again.`,
  );
}

/** @throws StepError */
export function certificateOf(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new StepError('sign', 'The certificate in the keystore cannot be read.');
  }
}

/** The first certificate of each signer, as keytool prints it. @param output of `keytool -printcert -jarfile -rfc` */
export function parseSigners(output: string): string[] {
  return output
    .split(/^Signer #\d+:$/m)
    .slice(1)
    .map((part) => PEM.exec(part)?.[0] ?? '');
}

function namesOf(aliases: readonly string[]): string {
  const more = aliases.length > SHOWN ? ` and ${aliases.length - SHOWN} more` : '';
  return `${aliases.slice(0, SHOWN).join(', ')}${more}`;
}
