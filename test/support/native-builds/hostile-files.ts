import { LABEL_ID, manifestOf } from './android/app-description.js';
import { chunk, stringPool, u16, u32 } from './android/resource-chunks.js';

/** A field of a protobuf message that holds bytes. */
export function protoBytes(field: number, ...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** A field of a protobuf message that holds a number. */
export function protoNumber(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/**
 * A `resources.pb` with so many entries, in which label and icon refer to one entry after the other: those that come last. The
 * label ends with a text.
 */
export function longProtoTable(label: string, entries: number): Buffer {
  const item = (field: number, content: Buffer): Buffer =>
    protoBytes(6, protoBytes(2, protoBytes(4, protoBytes(field, content))));
  const reference = (id: number): Buffer => item(1, protoNumber(2, id));
  const entry = (id: number, ...values: Buffer[]): Buffer =>
    protoBytes(3, protoBytes(1, protoNumber(1, id)), ...values);
  const others = Array.from({ length: entries - 50 }, (_, index) => entry(50 + (index % 65_000)));
  // From 0 to 7 for the label, which is followed for eight steps, then for the icon.
  const chain = Array.from({ length: 50 }, (_, id) =>
    id === 7
      ? entry(id, item(2, protoBytes(1, Buffer.from(label))))
      : entry(id, reference(LABEL_ID + id + 1)),
  );
  const strings = protoBytes(
    3,
    Buffer.concat([protoBytes(1, protoNumber(1, 1)), ...others, ...chain.toReversed()]),
  );
  const icons = protoBytes(3, protoBytes(1, protoNumber(1, 2)), entry(0, reference(LABEL_ID + 10)));
  return protoBytes(2, protoBytes(1, protoNumber(1, 0x7f)), strings, icons);
}

/** A manifest of an aab, or a drawable, with so many attributes of two bytes. */
export function wideProtoXml(name: string, attributes: number): Buffer {
  const packageName = protoBytes(
    4,
    protoBytes(2, Buffer.from('package')),
    protoBytes(3, Buffer.from('com.a.b')),
  );
  return protoBytes(
    1,
    protoBytes(3, Buffer.from(name)),
    Buffer.alloc(2 * attributes, protoBytes(4)),
    packageName,
  );
}

/** A pool of strings of 16 KiB that overlap: each takes four bytes. */
export function overlappingStrings(count: number): Buffer {
  const start = 28 + 4 * count;
  const header = [u32(count), u32(0), u32(0), u32(start), u32(0)];
  const text = Buffer.concat([u16(8192), Buffer.alloc(2 * 8192 + 2 * count, 'a\0')]);
  // Each of the others takes the letters before it for its length, which is cut to 16 KiB.
  const offsets = Array.from({ length: count }, (_, index) => u32(2 * index));
  text.fill(Buffer.from([0xff, 0x7f]), 0, 2 * count);
  return chunk(0x0001, header, [...offsets, text]);
}

/** A manifest of an apk with attributes whose names are such strings. */
export function overlappingXml(count: number): Buffer {
  const attribute = (index: number): Buffer =>
    Buffer.concat([u32(0xffffffff), u32(index), u32(0xffffffff), u16(8), Buffer.from([0, 0x10]), u32(1)]);
  const attributes = Array.from({ length: count }, (_, index) => attribute(index));
  const start = [u32(0xffffffff), u32(0), u16(20), u16(20), u16(count), Buffer.alloc(6), ...attributes];
  return chunk(0x0003, [], [overlappingStrings(count), chunk(0x0102, [u32(1), u32(0xffffffff)], start)]);
}

/** Value of an entry in a resource table: a string of the pool, or a reference. */
type TableEntry = { readonly string: number } | { readonly reference: number };

function typeChunk(id: number, density: number, values: readonly TableEntry[]): Buffer {
  const config = Buffer.alloc(64);
  config.writeUInt32LE(64);
  config.writeUInt16LE(density, 14);
  const written = values.map((value) =>
    Buffer.concat([
      u16(8),
      u16(0),
      u32(0),
      u16(8),
      Buffer.from([0, 'string' in value ? 0x03 : 0x01]),
      u32('string' in value ? value.string : value.reference),
    ]),
  );
  const start = 20 + 64 + 4 * values.length;
  const offsets = values.map((_, index) => u32(16 * index));
  return chunk(
    0x0201,
    [Buffer.from([id, 0, 0, 0]), u32(values.length), u32(start), config],
    [...offsets, ...written],
  );
}

function tableOf(strings: Buffer, chunks: readonly Buffer[]): Buffer {
  const header = [u32(0x7f), Buffer.alloc(256), u32(0), u32(0), u32(0), u32(0), u32(0)];
  return chunk(0x0002, [u32(1)], [strings, chunk(0x0200, header, chunks)]);
}

/** A `resources.arsc` with so many chunks of a type that nothing refers to, behind a label that is a chain of references. */
export function longResourceTable(label: string, chunks: number): Buffer {
  const chain: TableEntry[] = Array.from({ length: 8 }, (_, id) =>
    id === 7 ? { string: 0 } : { reference: LABEL_ID + id + 1 },
  );
  const other = typeChunk(3, 0, []);
  return tableOf(stringPool([label]), [
    typeChunk(1, 0, chain),
    ...Array.from({ length: chunks }, () => other),
  ]);
}

/** A `resources.arsc` whose label has so many configurations, each with another string of 16 KiB in the same place. */
export function overlappingTable(configurations: number): Buffer {
  return tableOf(
    overlappingStrings(configurations),
    Array.from({ length: configurations }, (_, index) => typeChunk(1, index, [{ string: index }])),
  );
}

/** A `resources.arsc` whose label is in a type that lists the indexes that it has, in their order. */
export function sparseTable(label: string, entries: number, index: number): Buffer {
  const config = Buffer.alloc(64);
  config.writeUInt32LE(64);
  const start = 20 + 64 + 4 * entries;
  const value = Buffer.concat([u16(8), u16(0), u32(0), u16(8), Buffer.from([0, 0x03]), u32(0)]);
  const none = Buffer.concat([u16(8), u16(1), u32(0), u32(0)]);
  const listed = Array.from({ length: entries }, (_, at) =>
    Buffer.concat([u16(2 * at), u16(2 * at === index ? 0 : value.length / 4)]),
  );
  return tableOf(stringPool([label]), [
    chunk(0x0201, [Buffer.from([1, 0x01, 0, 0]), u32(entries), u32(start), config], [...listed, value, none]),
  ]);
}

/** The manifest of an app whose label is another entry. */
export function manifestWithLabel(index: number): ReturnType<typeof manifestOf> {
  const manifest = manifestOf({ icon: null });
  const children = manifest.children?.map((child) =>
    child.name === 'application'
      ? { ...child, attributes: { ...child.attributes, label: { reference: LABEL_ID + index } } }
      : child,
  );
  return { ...manifest, children: children ?? [] };
}
