import { createHmac } from 'node:crypto';
import forge from 'node-forge';
import {
  type Asn1,
  attribute,
  bmpString,
  bytesOf,
  integer,
  nothing,
  octets,
  oid,
  sequence,
  set,
  tagged,
  taggedOctets,
} from './asn1.ts';
import type { Entry } from './jks.js';

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const RC2_40 = '1.2.840.113549.1.12.1.6';
const SALT = 'saltsalt';
const digests = {
  sha1: { oid: '1.3.14.3.2.26', bytes: 20, create: () => forge.md.sha1.create() },
  sha256: { oid: '2.16.840.1.101.3.4.2.1', bytes: 32, create: () => forge.md.sha256.create() },
} as const;
/** Of encryption. */
const COUNT = 2;

export interface Pkcs12Options {
  /** Iterations that the file claims for its authentication; they are not done if there are many. */
  readonly iterations?: number;
  readonly algorithm?: '3des' | 'aes128' | 'aes256';
  /** What encrypts the certificates; by default they are in the clear. */
  readonly certificateAlgorithm?: 'rc2-40' | '3des' | 'aes256';
  /** The digest of the authentication; by default SHA-1. */
  readonly macDigest?: keyof typeof digests;
  /** Whether the names of keys are left out. */
  readonly isUnnamed?: boolean;
  readonly hasMac?: boolean;
  /** Whether the entries have only their keys. */
  readonly hasNoCertificates?: boolean;
}

/** A keystore in the format PKCS#12. */
export function pkcs12(entries: readonly Entry[], password: string, options: Pkcs12Options = {}): Buffer {
  const { iterations = 2, algorithm = 'aes256', hasMac = true, macDigest = 'sha1' } = options;
  const { certificateAlgorithm, hasNoCertificates = false } = options;
  const attributesOf = ({ alias, isTrusted = false }: Entry, index: number): Asn1 =>
    set(
      ...(options.isUnnamed === true ? [] : [attribute('1.2.840.113549.1.9.20', bmpString(alias))]),
      ...(isTrusted ? [] : [attribute('1.2.840.113549.1.9.21', octets(String.fromCharCode(index + 1)))]),
    );
  const keys = entries.flatMap((entry, index) => {
    if (entry.isTrusted === true) return [];
    const info = forge.asn1.fromDer(entry.identity.key.toString('latin1'));
    const encrypted = encrypt(info, entry.keyPassword ?? password, algorithm);
    return [sequence(oid('1.2.840.113549.1.12.10.1.2'), tagged(encrypted), attributesOf(entry, index))];
  });
  const certificates = hasNoCertificates
    ? []
    : entries.map((entry, index) => certificateBag(entry, attributesOf(entry, index)));
  const parts =
    certificateAlgorithm === undefined
      ? [inTheClear([...keys, ...certificates])]
      : [encryptedPart(certificates, password, certificateAlgorithm), inTheClear(keys)];
  const content = bytesOf(sequence(...parts));
  const authSafe = sequence(oid(DATA), tagged(octets(content)));
  const mac = hasMac ? [macOf(content, password, iterations, macDigest)] : [];
  return Buffer.from(bytesOf(sequence(integer(3), authSafe, ...mac)), 'latin1');
}

function certificateBag({ identity }: Entry, attributes: Asn1): Asn1 {
  const der = octets(identity.certificate.raw.toString('latin1'));
  return sequence(
    oid('1.2.840.113549.1.12.10.1.3'),
    tagged(sequence(oid('1.2.840.113549.1.9.22.1'), tagged(der))),
    attributes,
  );
}

function inTheClear(bags: readonly Asn1[]): Asn1 {
  return sequence(oid(DATA), tagged(octets(bytesOf(sequence(...bags)))));
}

function encryptedPart(
  bags: readonly Asn1[],
  password: string,
  algorithm: NonNullable<Pkcs12Options['certificateAlgorithm']>,
): Asn1 {
  const content = sequence(...bags);
  const [parameters, bytes] =
    algorithm === 'rc2-40' ? rc2(bytesOf(content), password) : partsOf(encrypt(content, password, algorithm));
  const info = sequence(oid(DATA), parameters, taggedOctets(bytes));
  return sequence(oid(ENCRYPTED_DATA), tagged(sequence(integer(0), info)));
}

/** As Keychain Access and older versions of OpenSSL encrypt certificates: RFC 7292, appendix C. */
function rc2(content: string, password: string): [Asn1, string] {
  const salt = forge.util.createBuffer(SALT);
  const key = forge.pkcs12.generateKey(password, salt.copy(), 1, COUNT, 5);
  const vector = forge.pkcs12.generateKey(password, salt.copy(), 2, COUNT, 8);
  const cipher = forge.rc2.createEncryptionCipher(key.getBytes(), 40);
  cipher.start(vector.getBytes());
  cipher.update(forge.util.createBuffer(content));
  cipher.finish();
  return [sequence(oid(RC2_40), sequence(octets(SALT), integer(COUNT))), cipher.output.getBytes()];
}

/** The algorithm and the bytes of something encrypted. */
function partsOf(encrypted: Asn1): [Asn1, string] {
  const [algorithm, bytes] = encrypted.value as Asn1[];
  return [algorithm!, bytes!.value as string];
}

function encrypt(content: Asn1, password: string, algorithm: '3des' | 'aes128' | 'aes256'): Asn1 {
  // PBES2 takes bytes, and PKCS#12 characters.
  const secret = algorithm === '3des' ? password : forge.util.encodeUtf8(password);
  return forge.pki.encryptPrivateKeyInfo(content, secret, {
    algorithm,
    count: COUNT,
    prfAlgorithm: 'sha256',
  });
}

function macOf(content: string, password: string, iterations: number, name: keyof typeof digests): Asn1 {
  const { oid: id, bytes, create } = digests[name];
  const salt = forge.util.createBuffer(SALT);
  const key = forge.pkcs12.generateKey(password, salt, 3, Math.min(iterations || 1, 1000), bytes, create());
  const mac = createHmac(name, Buffer.from(key.getBytes(), 'latin1')).update(content, 'latin1');
  return sequence(
    sequence(sequence(oid(id), nothing()), octets(mac.digest().toString('latin1'))),
    octets(SALT),
    integer(iterations),
  );
}
