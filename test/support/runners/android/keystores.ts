import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PayloadCertificateDto } from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import { temporaryFolder } from '../../processes/temporary-folders.js';

/** A key in a keystore. */
export interface TestKey {
  readonly alias: string;
  readonly name?: string;
  readonly type?: 'RSA' | 'EC';
  /** Default: the password of the store. */
  readonly keyPassword?: string;
}

/** Passwords that no other text contains, with what shells and command lines take apart. */
export const STORE_PASSWORD = `store "pass" $HOME 'x' 5ee2c1`;
export const KEY_PASSWORD = 'key-pass %n 9d01ab';

/** A keystore as the payload of a build has it, and the certificates of its keys. */
export interface TestKeystore {
  readonly certificate: PayloadCertificateDto;
  /** SHA-256 by alias, as Node.js writes it. */
  readonly fingerprints: Readonly<Record<string, string>>;
}

/** Makes a keystore with keytool. @param values of the payload that differ */
export async function makeKeystore(
  type: 'JKS' | 'PKCS12',
  keys: readonly TestKey[],
  values: Partial<PayloadCertificateDto> = {},
): Promise<TestKeystore> {
  const path = join(await temporaryFolder(), 'release.jks');
  const env = { ...process.env, STORE: STORE_PASSWORD, LANG: 'C.UTF-8' };
  const keytool = (args: readonly string[], more: Record<string, string> = {}): string =>
    execFileSync('keytool', [...args, '-keystore', path, '-storetype', type, '-storepass:env', 'STORE'], {
      env: { ...env, ...more },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const fingerprints: Record<string, string> = {};
  for (const { alias, name = alias, type: algorithm = 'RSA', keyPassword = STORE_PASSWORD } of keys) {
    const size = algorithm === 'EC' ? ['-groupname', 'secp256r1'] : ['-keysize', '2048'];
    const subject = ['-dname', `CN=${name}, O=Acme`, '-validity', '10000'];
    keytool(
      ['-genkeypair', '-alias', alias, '-keyalg', algorithm, ...size, ...subject, '-keypass:env', 'KEY'],
      { KEY: keyPassword },
    );
    fingerprints[alias] = new X509Certificate(
      keytool(['-exportcert', '-rfc', '-alias', alias]),
    ).fingerprint256;
  }
  return {
    fingerprints,
    certificate: {
      type: 'production',
      fileName: 'release.jks',
      file: readFileSync(path).toString('base64'),
      password: STORE_PASSWORD,
      keyAlias: null,
      keyPassword: null,
      profiles: [],
      ...values,
    },
  };
}
