import { createHash, randomBytes } from 'node:crypto';
import type { Identity } from './identity.js';

/** An entry of a keystore. Without a password of its own, the key has that of the keystore. */
export interface Entry {
  readonly alias: string;
  readonly identity: Identity;
  readonly keyPassword?: string;
  /** Only the certificate. */
  readonly isTrusted?: boolean;
}

/** `1.3.6.1.4.1.42.2.17.1.1`, the encryption of keys in the format JKS, without parameters. */
const ALGORITHM = Buffer.from('300e060a2b060104012a021101010500', 'hex');

/** A keystore in the format JKS, as `keytool -storetype JKS` makes it. @param count of entries, if it lies */
export function jks(entries: readonly Entry[], password: string, count = entries.length): Buffer {
  const body = Buffer.concat([
    Buffer.from('feedfeed00000002', 'hex'),
    uint32(count),
    ...entries.map((entry) => entryOf(entry, password)),
  ]);
  const digest = createHash('sha1').update(utf16(password)).update('Mighty Aphrodite').update(body).digest();
  return Buffer.concat([body, digest]);
}

function entryOf({ alias, identity, keyPassword, isTrusted = false }: Entry, password: string): Buffer {
  const certificate = Buffer.concat([text('X.509'), sized(identity.certificate.raw)]);
  return Buffer.concat([
    uint32(isTrusted ? 2 : 1),
    text(alias),
    Buffer.alloc(8),
    ...(isTrusted ? [] : [sized(encryptKey(identity.key, keyPassword ?? password)), uint32(1)]),
    certificate,
  ]);
}

function encryptKey(key: Buffer, password: string): Buffer {
  const secret = utf16(password);
  const encrypted = Buffer.from(key);
  const salt = randomBytes(20);
  let pad = salt;
  for (let at = 0; at < key.length; at++) {
    if (at % 20 === 0) pad = createHash('sha1').update(secret).update(pad).digest();
    encrypted[at]! ^= pad[at % 20]!;
  }
  const check = createHash('sha1').update(secret).update(key).digest();
  return der(0x30, ALGORITHM, der(0x04, salt, encrypted, check));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, 0x84]), uint32(content.length), content]);
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function sized(bytes: Buffer): Buffer {
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value)]);
}

function utf16(value: string): Buffer {
  return Buffer.from(value, 'utf16le').swap16();
}
