import { type AttributeName, ATTRIBUTES, type AttributeValue, type XmlElement } from './app-description.js';
import { chunk, stringPool, u16, u32, typedValue } from './resource-chunks.js';

const NONE = 0xffffffff;
const NAMESPACE = 'http://schemas.android.com/apk/res/android';

/** Writes XML in the binary form that an apk has. */
export function binaryXml(root: XmlElement): Buffer {
  const elements = flatten(root);
  const names = [
    ...new Set(elements.flatMap(({ attributes }) => Object.keys(attributes))),
  ] as AttributeName[];
  // Names with ids come first: the map of ids has as many entries.
  const known = names.filter((name) => name !== 'package');
  const strings = [...known, NAMESPACE, 'android', ...names.filter((name) => name === 'package')];
  const indexOf = (text: string, from = 0): number => {
    const found = strings.indexOf(text, from);
    return found === -1 ? strings.push(text) - 1 : found;
  };
  const namespace = [u32(indexOf('android')), u32(indexOf(NAMESPACE))];
  const nodes = nodesOf(root, (text) => indexOf(text, known.length), known);
  const ids = known.map((name) => u32(ATTRIBUTES[name as keyof typeof ATTRIBUTES]));
  return chunk(
    0x0003,
    [],
    [stringPool(strings), chunk(0x0180, [], ids), node(0x0100, namespace), ...nodes, node(0x0101, namespace)],
  );
}

function flatten(element: XmlElement): XmlElement[] {
  return [element, ...(element.children ?? []).flatMap(flatten)];
}

function nodesOf(
  { name, attributes, children = [] }: XmlElement,
  indexOf: (text: string) => number,
  known: readonly string[],
): Buffer[] {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const written = given.map(([key, value]) => attribute(key, value, indexOf, known));
  const start = [
    u32(NONE),
    u32(indexOf(name)),
    u16(20),
    u16(20),
    u16(written.length),
    Buffer.alloc(6),
    ...written,
  ];
  return [
    node(0x0102, start),
    ...children.flatMap((child) => nodesOf(child, indexOf, known)),
    node(0x0103, [u32(NONE), u32(indexOf(name))]),
  ];
}

function attribute(
  name: string,
  value: AttributeValue,
  indexOf: (text: string) => number,
  known: readonly string[],
): Buffer {
  const isText = typeof value === 'string';
  return Buffer.concat([
    u32(name === 'package' ? NONE : indexOf(NAMESPACE)),
    u32(name === 'package' ? indexOf(name) : known.indexOf(name)),
    u32(isText ? indexOf(value) : NONE),
    typedValue(value, indexOf),
  ]);
}

/** A node of the tree: its header has a line number and no comment. */
function node(type: number, body: readonly Buffer[]): Buffer {
  return chunk(type, [u32(1), u32(NONE)], body);
}
