import { constants, generateKeyPairSync, type KeyObject, privateEncrypt, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

/** A key with a certificate that it signed itself. */
export interface TestSigner {
  readonly key: forge.pki.rsa.PrivateKey;
  readonly certificate: forge.pki.Certificate;
  readonly der: Buffer;
  readonly x509: X509Certificate;
}

const made = new Map<string, TestSigner>();

/** The same one for the same name. */
export function testSigner(commonName = 'Upload key'): TestSigner {
  const signer = made.get(commonName) ?? makeSigner(commonName);
  made.set(commonName, signer);
  return signer;
}

function makeSigner(commonName: string): TestSigner {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const key = forge.pki.privateKeyFromPem(pem);
  // In JavaScript, each signature takes a second.
  key.sign = (digest) => signDigest(privateKey, Buffer.from(digestOf(digest), 'binary'));
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date('2026-01-01T00:00:00Z');
  certificate.validity.notAfter = new Date('2051-01-01T00:00:00Z');
  const name = [
    { name: 'commonName', value: commonName },
    { name: 'organizationName', value: 'Example' },
  ];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(key, forge.md.sha256.create());
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'binary');
  return { key, certificate, der, x509: new X509Certificate(der) };
}

/** The DigestInfo of SHA-256 (RFC 8017, 9.2) without the digest. */
const SHA256_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

function digestOf(digest: string | forge.md.MessageDigest): string {
  return typeof digest === 'string' ? digest : digest.digest().getBytes();
}

function signDigest(key: KeyObject, digest: Buffer): string {
  const options = { key, padding: constants.RSA_PKCS1_PADDING };
  return privateEncrypt(options, Buffer.concat([SHA256_INFO, digest])).toString('binary');
}

/** A signed message with its content: PKCS#7 in DER. */
export function signedMessage(content: Buffer, signer: TestSigner, isDetached = false): Buffer {
  const message = forge.pkcs7.createSignedData();
  message.content = forge.util.createBuffer(content.toString('binary'));
  message.addCertificate(signer.certificate);
  message.addSigner({
    key: signer.key,
    certificate: signer.certificate,
    digestAlgorithm: forge.pki.oids['sha256'] ?? '',
  });
  message.sign({ detached: isDetached });
  return Buffer.from(forge.asn1.toDer(message.toAsn1()).getBytes(), 'binary');
}
