import { createHash, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { RefusedCall } from './options.ts';
import type { StoredIdentity } from './keychain-files.ts';

const PBES2 = '1.2.840.113549.1.5.13';
/** What SecKeychainItemImport says of wrong passwords, and of files in the modern form. */
const MAC_FAILED =
  'security: SecKeychainItemImport: MAC verification failed during PKCS12 import (wrong password?)';

/**
 * Opens a PKCS#12 file as `security import` of older systems does: 3DES and RC2 with SHA-1 only. Modern files (PBES2, or a MAC
 * with SHA-256) end with a message about the password: https://developer.apple.com/forums/thread/697030 and
 * https://github.com/openssl/openssl/discussions/19097.
 */
export function openLegacyPkcs12(
  file: Buffer,
  password: string,
): {
  identities: Pick<StoredIdentity, 'sha1' | 'commonName' | 'certificate' | 'key'>[];
  certificates: string[];
} {
  const asn1 = parse(file);
  if (mentions(asn1, PBES2) || macDigestOf(asn1) !== forge.pki.oids['sha1']) {
    throw new RefusedCall(MAC_FAILED, 1);
  }
  const bags = safeBagsOf(asn1, password);
  const certificates = bags
    .filter(({ type }) => type === forge.pki.oids['certBag'])
    .map(({ cert, asn1: bag }) =>
      derOf(cert === undefined || cert === null ? bag : forge.pki.certificateToAsn1(cert)),
    );
  const keys = bags
    .filter(({ type }) => type === forge.pki.oids['pkcs8ShroudedKeyBag'] || type === forge.pki.oids['keyBag'])
    .map(({ key }) => key as forge.pki.rsa.PrivateKey);
  const owners = certificates.map((der) => ({ der, certificate: new X509Certificate(der) }));
  const identities = keys.map((key) => {
    const modulus = key.n.toString(16);
    const owner = owners.find(
      ({ der }) =>
        (
          forge.pki.certificateFromAsn1(forge.asn1.fromDer(der.toString('latin1')))
            .publicKey as forge.pki.rsa.PublicKey
        ).n.toString(16) === modulus,
    );
    if (owner === undefined) throw new RefusedCall('The key of the file has no certificate.', 1);
    const info = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key));
    return {
      sha1: createHash('sha1').update(owner.der).digest('hex').toUpperCase(),
      commonName: /^CN=(.*)$/m.exec(owner.certificate.subject)?.[1] ?? '<unknown>',
      certificate: owner.der.toString('base64'),
      key: derOf(info).toString('base64'),
    };
  });
  const used = new Set(identities.map(({ certificate }) => certificate));
  return {
    identities,
    certificates: certificates.map((der) => der.toString('base64')).filter((der) => !used.has(der)),
  };
}

function safeBagsOf(asn1: forge.asn1.Asn1, password: string): forge.pkcs12.Bag[] {
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1, password).safeContents.flatMap(({ safeBags }) => safeBags);
  } catch {
    throw new RefusedCall(MAC_FAILED, 1);
  }
}

function parse(file: Buffer): forge.asn1.Asn1 {
  try {
    return forge.asn1.fromDer(file.toString('latin1'));
  } catch {
    throw new RefusedCall('security: SecKeychainItemImport: Unknown format in import.', 1);
  }
}

/** The digest of the MAC of a file. */
function macDigestOf(asn1: forge.asn1.Asn1): string | null {
  const [, , macData] = asn1.value as forge.asn1.Asn1[];
  const [digestInfo] = (macData?.value ?? []) as forge.asn1.Asn1[];
  const [algorithm] = (digestInfo?.value ?? []) as forge.asn1.Asn1[];
  const [oid] = (algorithm?.value ?? []) as forge.asn1.Asn1[];
  return oid === undefined ? null : forge.asn1.derToOid(oid.value as string);
}

/** Whether an object identifier is anywhere in a file, also within what its octet strings hold. */
function mentions({ type, value }: forge.asn1.Asn1, oid: string): boolean {
  if (typeof value !== 'string') return value.some((child) => mentions(child, oid));
  if (type === forge.asn1.Type.OID) return forge.asn1.derToOid(value) === oid;
  if (type !== forge.asn1.Type.OCTETSTRING) return false;
  try {
    return mentions(forge.asn1.fromDer(value), oid);
  } catch {
    return false;
  }
}

function derOf(asn1: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
}
