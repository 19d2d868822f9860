import { createHash } from 'node:crypto';
import { type Identity, makeIdentity } from '../keystores/identity.ts';
import { pkcs12, type Pkcs12Options } from '../keystores/pkcs12.ts';

/** A key with a certificate that looks like those of Apple. */
export interface AppleIdentity extends Identity {
  readonly commonName: string;
  readonly teamId: string;
  /** As `security find-identity` shows it: 40 upper-case hexadecimal digits. */
  readonly sha1: string;
  /** Pairs of upper-case hexadecimal digits with colons between them. */
  readonly sha256Fingerprint: string;
}

/** The team of identities and profiles by default. */
export const TEST_TEAM_ID = 'A1B2C3D4E5';

/**
 * Makes an identity that signs iOS apps. The same arguments give another certificate each time.
 *
 * @param type decides the name that Apple gives it
 * @param commonName instead of the one of the type
 * @param teamId `null`: the certificate has none
 * @param days until it expires; negative: it has expired
 * @param pair which of two keys
 */
export function makeAppleIdentity({
  type = 'distribution',
  commonName,
  teamId = TEST_TEAM_ID,
  days = 365,
  pair = 0,
}: {
  readonly type?: 'development' | 'distribution';
  readonly commonName?: string;
  readonly teamId?: string | null;
  readonly days?: number;
  readonly pair?: 0 | 1;
} = {}): AppleIdentity {
  const kind =
    type === 'development' ? 'Apple Development: Erika Example' : 'Apple Distribution: Example GmbH';
  const name = commonName ?? `${kind} (${teamId ?? TEST_TEAM_ID})`;
  const names = [
    ['CN', name],
    ...(teamId === null ? [] : [['OU', teamId] as const]),
    ['O', 'Example GmbH'],
    ['C', 'DE'],
  ] as const;
  const identity = makeIdentity({ names, days, pair });
  return {
    ...identity,
    commonName: name,
    teamId: teamId ?? '',
    sha1: createHash('sha1').update(identity.certificate.raw).digest('hex').toUpperCase(),
    sha256Fingerprint: identity.certificate.fingerprint256,
  };
}

/**
 * Writes identities into a .p12.
 *
 * @param form `legacy` as Keychain Access exports it (RC2 and 3DES, SHA-1), `modern` as OpenSSL 3 does (AES, SHA-256)
 */
export function makeP12(
  identities: AppleIdentity | readonly AppleIdentity[],
  password = 'storepass',
  { form = 'legacy', ...options }: Pkcs12Options & { readonly form?: 'legacy' | 'modern' } = {},
): Buffer {
  const entries = [identities].flat().map((identity) => ({ alias: identity.commonName, identity }));
  const usual: Pkcs12Options =
    form === 'legacy'
      ? { algorithm: '3des', certificateAlgorithm: 'rc2-40', iterations: 100 }
      : { algorithm: 'aes256', certificateAlgorithm: 'aes256', macDigest: 'sha256', iterations: 100 };
  return pkcs12(entries, password, { ...usual, ...options });
}
