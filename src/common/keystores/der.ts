import forge from 'node-forge';
import { damaged } from './keystore.js';

/*
 * ASN.1 as `node-forge` parses it. What is not where the format says is a damaged file.
 */
export type Asn1 = forge.asn1.Asn1;

const { Class, Type } = forge.asn1;

/** Parses DER or BER in binary text. */
export function parse(bytes: string): Asn1 {
  return forge.asn1.fromDer(bytes);
}

export function childrenOf({ value }: Asn1): Asn1[] {
  if (typeof value === 'string') throw damaged();
  return value;
}

/** An element within elements, by its positions. */
export function at(element: Asn1, ...positions: number[]): Asn1 {
  return positions.reduce((parent, position) => {
    const child = childrenOf(parent)[position];
    if (child === undefined) throw damaged();
    return child;
  }, element);
}

export function oidOf({ type, value }: Asn1): string {
  if (type !== Type.OID || typeof value !== 'string') throw damaged();
  return forge.asn1.derToOid(value);
}

/** The bytes of an OCTET STRING as binary text; BER can have it in parts. */
export function octetsOf({ value }: Asn1): string {
  return typeof value === 'string' ? value : value.map(octetsOf).join('');
}

/** A whole number; those that are too large for a number become `Infinity`. */
export function integerOf({ type, value }: Asn1): number {
  if (type !== Type.INTEGER || typeof value !== 'string' || value.length === 0) throw damaged();
  return Number(`0x${Buffer.from(value, 'latin1').toString('hex')}`);
}

/** What encrypts a private key, in the form that `node-forge` decrypts: the algorithm, then the bytes. */
export function encryptedInfo(algorithm: Asn1, bytes: string): Asn1 {
  const content = forge.asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
  return forge.asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [algorithm, content]);
}

/** The bytes of an element with its header. */
export function bytesOf(element: Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(element).getBytes(), 'latin1');
}
