import forge from 'node-forge';

export type Asn1 = forge.asn1.Asn1;
const { Class, Type, create, oidToDer, toDer } = forge.asn1;

export function sequence(...children: readonly Asn1[]): Asn1 {
  return create(Class.UNIVERSAL, Type.SEQUENCE, true, [...children]);
}

export function set(...children: readonly Asn1[]): Asn1 {
  return create(Class.UNIVERSAL, Type.SET, true, [...children]);
}

/** The field 0 around a value. */
export function tagged(child: Asn1): Asn1 {
  return create(Class.CONTEXT_SPECIFIC, 0, true, [child]);
}

/** The field 0 in place of the tag of octets. */
export function taggedOctets(bytes: string): Asn1 {
  return create(Class.CONTEXT_SPECIFIC, 0, false, bytes);
}

export function attribute(name: string, value: Asn1): Asn1 {
  return sequence(oid(name), set(value));
}

export function oid(name: string): Asn1 {
  return create(Class.UNIVERSAL, Type.OID, false, oidToDer(name).getBytes());
}

export function octets(bytes: string): Asn1 {
  return create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
}

export function integer(number: number): Asn1 {
  return create(Class.UNIVERSAL, Type.INTEGER, false, forge.asn1.integerToDer(number).getBytes());
}

export function bmpString(text: string): Asn1 {
  return create(Class.UNIVERSAL, Type.BMPSTRING, false, text);
}

export function nothing(): Asn1 {
  return create(Class.UNIVERSAL, Type.NULL, false, '');
}

/** As binary text. */
export function bytesOf(element: Asn1): string {
  return toDer(element).getBytes();
}
