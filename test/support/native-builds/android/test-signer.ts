import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

/** A key with a certificate that it signed itself. */
export interface TestSigner {
  readonly key: forge.pki.PrivateKey;
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

const signed = new Map<string, Buffer>();

/** A signed message with its content: PKCS#7 in DER. Signing in JavaScript takes long, so it is done once. */
export function signedMessage(content: Buffer, signer: TestSigner, isDetached = false): Buffer {
  const key = `${isDetached} ${signer.x509.fingerprint256} ${content.toString('base64')}`;
  const message = signed.get(key) ?? sign(content, signer, isDetached);
  signed.set(key, message);
  return message;
}

function sign(content: Buffer, signer: TestSigner, isDetached: boolean): Buffer {
  const message = forge.pkcs7.createSignedData();
  message.content = forge.util.createBuffer(content.toString('binary'));
  message.addCertificate(signer.certificate);
  message.addSigner({
    key: signer.key as forge.pki.rsa.PrivateKey,
    certificate: signer.certificate,
    digestAlgorithm: forge.pki.oids['sha256'] ?? '',
  });
  message.sign({ detached: isDetached });
  return Buffer.from(forge.asn1.toDer(message.toAsn1()).getBytes(), 'binary');
}
