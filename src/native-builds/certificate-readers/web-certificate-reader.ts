import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { CertificateReader, CertificateReading } from './reading.js';

/** As for the public keys of apps. */
const MIN_BITS = 2048;
const MAX_BITS = 8192;
/** What Node.js accepts, in bytes. */
const MAX_PASSPHRASE_BYTES = 1024;

const PRIVATE_KEY = /-----BEGIN ((RSA|ENCRYPTED) )?PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** Opens what live updates are signed with: an RSA private key as PEM, PKCS#8 or PKCS#1, encrypted or not. */
export const readWebCertificate: CertificateReader = ({ file, password, keyAlias, keyPassword }) => {
  const pem = file.toString('latin1');
  if (keyAlias !== null) return failure('keyAlias', 'keyAlias is for Android: a PEM file has one key.');
  if (keyPassword !== null) return failure('keyPassword', 'keyPassword is for Android: use password.');
  if (!PRIVATE_KEY.test(pem)) return failure('file', 'file must be an RSA private key as PEM.');
  const encrypted = ENCRYPTED.test(pem);
  if (encrypted && password === null)
    return failure('password', 'password is required: the key is encrypted.');
  if (!encrypted && password !== null)
    return failure('password', 'password is not needed: the key is not encrypted.');
  if (password !== null && Buffer.byteLength(password) > MAX_PASSPHRASE_BYTES)
    return failure('password', 'password does not open the file.');
  try {
    return check(createPrivateKey({ key: pem, ...(password === null ? {} : { passphrase: password }) }));
  } catch {
    return encrypted
      ? failure('password', 'password does not open the file.')
      : failure('file', 'file is damaged: the private key cannot be read.');
  }
};

function check(key: KeyObject): CertificateReading {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < MIN_BITS || bits > MAX_BITS) {
    return failure('file', `file must be an RSA private key of ${MIN_BITS} to ${MAX_BITS} bits.`);
  }
  // A key alone has neither a purpose nor an end.
  return {
    facts: {
      type: null,
      expiresAt: null,
      keyAlias: null,
      subject: null,
      sha256Fingerprint: null,
      teamId: null,
      signingKey: key.export({ type: 'pkcs8', format: 'der' }),
    },
  };
}

function failure(
  field: 'file' | 'password' | 'keyAlias' | 'keyPassword',
  message: string,
): CertificateReading {
  return { failure: { field, message } };
}
