import { createHmac } from 'node:crypto';
import forge from 'node-forge';
import type { Entry } from './jks.js';

type Asn1 = forge.asn1.Asn1;
const { Class, Type, create, fromDer, oidToDer, toDer } = forge.asn1;

const DATA = '1.2.840.113549.1.7.1';
const SHA1 = '1.3.14.3.2.26';
const SALT = 'saltsalt';

interface Options {
  /** Iterations that the file claims for its authentication; they are not done if there are many. */
  readonly iterations?: number;
  readonly algorithm?: '3des' | 'aes128' | 'aes256';
  /** Whether the names of keys are left out. */
  readonly isUnnamed?: boolean;
  readonly hasMac?: boolean;
}

/** A keystore in the format PKCS#12, whose certificates are in the clear. */
export function pkcs12(entries: readonly Entry[], password: string, options: Options = {}): Buffer {
  const { iterations = 2, algorithm = 'aes256', isUnnamed = false, hasMac = true } = options;
  const bags = entries.flatMap(({ alias, identity, keyPassword, isTrusted = false }, index) => {
    const name = isUnnamed
      ? []
      : [attribute('1.2.840.113549.1.9.20', create(Class.UNIVERSAL, Type.BMPSTRING, false, alias))];
    const id = isTrusted ? [] : [attribute('1.2.840.113549.1.9.21', octets(String.fromCharCode(index + 1)))];
    const attributes = create(Class.UNIVERSAL, Type.SET, true, [...name, ...id]);
    const certificate = sequence(
      oid('1.2.840.113549.1.12.10.1.3'),
      tagged(
        sequence(oid('1.2.840.113549.1.9.22.1'), tagged(octets(identity.certificate.raw.toString('latin1')))),
      ),
      attributes,
    );
    if (isTrusted) return [certificate];
    const info = fromDer(identity.key.toString('latin1'));
    const encrypted = forge.pki.encryptPrivateKeyInfo(info, keyPassword ?? password, { algorithm, count: 2 });
    return [sequence(oid('1.2.840.113549.1.12.10.1.2'), tagged(encrypted), attributes), certificate];
  });
  const content = bytesOf(sequence(sequence(oid(DATA), tagged(octets(bytesOf(sequence(...bags)))))));
  const authSafe = sequence(oid(DATA), tagged(octets(content)));
  const mac = hasMac ? [macOf(content, password, iterations)] : [];
  return Buffer.from(bytesOf(sequence(integer(3), authSafe, ...mac)), 'latin1');
}

function macOf(content: string, password: string, iterations: number): Asn1 {
  const salt = forge.util.createBuffer(SALT);
  const key = forge.pkcs12.generateKey(
    password,
    salt,
    3,
    Math.min(iterations || 1, 1000),
    20,
    forge.md.sha1.create(),
  );
  const mac = createHmac('sha1', Buffer.from(key.getBytes(), 'latin1')).update(content, 'latin1');
  const algorithm = sequence(oid(SHA1), create(Class.UNIVERSAL, Type.NULL, false, ''));
  return sequence(
    sequence(algorithm, octets(mac.digest().toString('latin1'))),
    octets(SALT),
    integer(iterations),
  );
}

function sequence(...children: readonly Asn1[]): Asn1 {
  return create(Class.UNIVERSAL, Type.SEQUENCE, true, [...children]);
}

function tagged(child: Asn1): Asn1 {
  return create(Class.CONTEXT_SPECIFIC, 0, true, [child]);
}

function attribute(name: string, value: Asn1): Asn1 {
  return sequence(oid(name), create(Class.UNIVERSAL, Type.SET, true, [value]));
}

function oid(name: string): Asn1 {
  return create(Class.UNIVERSAL, Type.OID, false, oidToDer(name).getBytes());
}

function octets(bytes: string): Asn1 {
  return create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
}

function integer(number: number): Asn1 {
  return create(Class.UNIVERSAL, Type.INTEGER, false, forge.asn1.integerToDer(number).getBytes());
}

function bytesOf(element: Asn1): string {
  return toDer(element).getBytes();
}
