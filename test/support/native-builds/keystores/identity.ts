import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

/** A private key and the certificate that it signed itself. */
export interface Identity {
  /** PKCS#8 in DER. */
  readonly key: Buffer;
  readonly certificate: X509Certificate;
}

const DAY_MS = 24 * 3600 * 1000;
/** Makes keys once, because that takes long. */
const pairs = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));

/**
 * @param names of the certificate, such as `[['CN', 'Upload']]`
 * @param days until it expires; negative: it has expired
 * @param pair which of two keys
 */
export function makeIdentity({
  names = [
    ['C', 'DE'],
    ['O', 'Example'],
    ['CN', 'Upload'],
  ],
  days = 10_000,
  pair = 0,
}: {
  readonly names?: readonly (readonly [shortName: string, value: string])[];
  readonly days?: number;
  readonly pair?: 0 | 1;
} = {}): Identity {
  const { privateKey, publicKey } = pairs[pair]!;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 1000 * DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + days * DAY_MS);
  const attributes = names.map(([shortName, value]) => ({ shortName, value }));
  certificate.setSubject(attributes);
  certificate.setIssuer(attributes);
  // Node.js signs faster.
  const signer = {
    sign: () =>
      sign(
        'sha256',
        Buffer.from(forge.asn1.toDer(certificate.tbsCertificate).getBytes(), 'latin1'),
        privateKey,
      ).toString('latin1'),
  };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'der' }),
    certificate: new X509Certificate(forge.pki.certificateToPem(certificate)),
  };
}
