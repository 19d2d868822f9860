import { decode, type ProtoItem } from './proto-messages.js';
import { MAX_LEVEL, type XmlAttribute, type XmlNode } from './xml-node.js';

/**
 * Reads XML in the form of an aab.
 *
 * @throws Error when it is none
 */
export function parseProtoXml(file: Buffer): XmlNode {
  const root = nodeOf(file, 1);
  if (root === null) throw new RangeError('It has no element.');
  return root;
}

/** @returns `null`: a text between elements */
function nodeOf(bytes: Buffer, level: number): XmlNode | null {
  const { element } = decode('XmlNode', bytes);
  if (element === undefined) return null;
  const { name = '', attributes = [], children = [] } = element;
  return {
    name,
    attributes: new Map(
      attributes.map(({ resourceId = 0, name: key = '', value = '', compiledItem }) => [
        resourceId === 0 ? key : resourceId,
        valueOf(value, compiledItem),
      ]),
    ),
    children: level === MAX_LEVEL ? [] : children.flatMap((child) => nodeOf(child, level + 1) ?? []),
  };
}

/** The compiled value counts: the text is empty beside it, or what the source says. */
function valueOf(
  text: string,
  { reference, text: compiled, rawText, primitive }: ProtoItem = {},
): XmlAttribute {
  return {
    text: compiled?.value ?? rawText?.value ?? (text === '' ? null : text),
    reference: reference?.id ?? null,
    integer: integerOf(primitive),
    boolean: primitive?.boolean ?? null,
  };
}

/** As signed integers of 32 bits, which both forms are. */
function integerOf({ decimal, hexadecimal }: NonNullable<ProtoItem['primitive']> = {}): number | null {
  const value = decimal ?? hexadecimal;
  return value === undefined ? null : value | 0;
}
