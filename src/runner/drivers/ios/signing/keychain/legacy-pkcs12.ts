import { createHmac, randomBytes } from 'node:crypto';
import forge from 'node-forge';
import type { SigningIdentity } from '../identity.js';

type Asn1 = forge.asn1.Asn1;
const { Class, Type } = forge.asn1;

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const SHROUDED_KEY_BAG = '1.2.840.113549.1.12.10.1.2';
const CERTIFICATE_BAG = '1.2.840.113549.1.12.10.1.3';
const X509 = '1.2.840.113549.1.9.22.1';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';
const SHA1 = '1.3.14.3.2.26';
/** The purpose of a key that authenticates, in the key derivation of PKCS#12. */
const MAC_KEY = 3;
/** As OpenSSL and Keychain Access do. */
const ITERATIONS = 2048;
const SALT_BYTES = 8;
const MAC_BYTES = 20;

/**
 * Writes an identity as PKCS#12 in the form that every version of macOS reads: 3DES and SHA-1. Older ones refuse what OpenSSL 3
 * and others write today.
 *
 * @param password encrypts it; ASCII characters
 */
export function legacyPkcs12(
  { key, certificate, issuers, sha1, commonName }: Omit<SigningIdentity, 'fingerprint' | 'teamId'>,
  password: string,
): Buffer {
  const attributes = set(
    attribute(FRIENDLY_NAME, string(Type.BMPSTRING, utf16(commonName))),
    attribute(LOCAL_KEY_ID, octets(Buffer.from(sha1, 'hex').toString('latin1'))),
  );
  const keyInfo = forge.asn1.fromDer(key.export({ type: 'pkcs8', format: 'der' }).toString('latin1'));
  const keyBag = sequence(oid(SHROUDED_KEY_BAG), tagged(encrypt(keyInfo, password)), attributes);
  const certificateBags = [
    certificateBag(certificate.raw, attributes),
    ...issuers.map(({ raw }) => certificateBag(raw)),
  ];
  const content = der(
    sequence(encryptedData(sequence(...certificateBags), password), data(sequence(keyBag))),
  );
  const authSafe = sequence(oid(DATA), tagged(octets(content)));
  const file = sequence(integer(3), authSafe, macOf(content, password));
  return Buffer.from(der(file), 'latin1');
}

function certificateBag(raw: Buffer, attributes?: Asn1): Asn1 {
  const value = sequence(oid(X509), tagged(octets(raw.toString('latin1'))));
  return sequence(oid(CERTIFICATE_BAG), tagged(value), ...(attributes === undefined ? [] : [attributes]));
}

function data(bags: Asn1): Asn1 {
  return sequence(oid(DATA), tagged(octets(der(bags))));
}

function encryptedData(bags: Asn1, password: string): Asn1 {
  const [algorithm, encrypted] = encrypt(bags, password).value as [Asn1, Asn1];
  const bytes = forge.asn1.create(Class.CONTEXT_SPECIFIC, 0, false, encrypted.value);
  const content = sequence(oid(DATA), algorithm, bytes);
  return sequence(oid(ENCRYPTED_DATA), tagged(sequence(integer(0), content)));
}

/** With pbeWithSHAAnd3-KeyTripleDES-CBC. @returns the algorithm, then the bytes */
function encrypt(content: Asn1, password: string): Asn1 {
  return forge.pki.encryptPrivateKeyInfo(content, password, {
    algorithm: '3des',
    count: ITERATIONS,
    saltSize: SALT_BYTES,
  });
}

function macOf(content: string, password: string): Asn1 {
  const salt = randomBytes(SALT_BYTES).toString('latin1');
  const key = forge.pkcs12.generateKey(
    password,
    forge.util.createBuffer(salt),
    MAC_KEY,
    ITERATIONS,
    MAC_BYTES,
  );
  const mac = createHmac('sha1', Buffer.from(key.getBytes(), 'latin1')).update(content, 'latin1').digest();
  const algorithm = sequence(oid(SHA1), forge.asn1.create(Class.UNIVERSAL, Type.NULL, false, ''));
  return sequence(sequence(algorithm, octets(mac.toString('latin1'))), octets(salt), integer(ITERATIONS));
}

function attribute(type: string, value: Asn1): Asn1 {
  return sequence(oid(type), set(value));
}

function sequence(...children: Asn1[]): Asn1 {
  return forge.asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, children);
}

function set(...children: Asn1[]): Asn1 {
  return forge.asn1.create(Class.UNIVERSAL, Type.SET, true, children);
}

function tagged(child: Asn1): Asn1 {
  return forge.asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [child]);
}

function string(type: forge.asn1.Type, bytes: string): Asn1 {
  return forge.asn1.create(Class.UNIVERSAL, type, false, bytes);
}

function octets(bytes: string): Asn1 {
  return string(Type.OCTETSTRING, bytes);
}

function oid(id: string): Asn1 {
  return string(Type.OID, forge.asn1.oidToDer(id).getBytes());
}

function integer(value: number): Asn1 {
  return string(Type.INTEGER, forge.asn1.integerToDer(value).getBytes());
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('latin1');
}

function der(element: Asn1): string {
  return forge.asn1.toDer(element).getBytes();
}
