import type { AttributeValue } from './app-description.ts';

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A chunk of Android's binary resources. @param header what its header has besides type and sizes */
export function chunk(type: number, header: readonly Buffer[], body: readonly Buffer[]): Buffer {
  const head = Buffer.concat(header);
  const content = Buffer.concat(body);
  const size = 8 + head.length + content.length;
  return Buffer.concat([u16(type), u16(8 + head.length), u32(size), head, content]);
}

/** Strings in UTF-16, or in UTF-8. */
export function stringPool(strings: readonly string[], isUtf8 = false): Buffer {
  const encoded = strings.map(isUtf8 ? utf8 : utf16);
  let at = 0;
  const offsets = encoded.map(({ length }) => u32((at += length) - length));
  const padding = Buffer.alloc((4 - (at % 4)) % 4);
  const start = 28 + 4 * strings.length;
  const header = [u32(strings.length), u32(0), u32(isUtf8 ? 0x100 : 0), u32(start), u32(0)];
  return chunk(0x0001, header, [...offsets, ...encoded, padding]);
}

function utf16(text: string): Buffer {
  return Buffer.concat([u16(text.length), Buffer.from(text, 'utf16le'), u16(0)]);
}

/** Both lengths take two bytes from 128 on. */
function utf8(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = (n: number): number[] => (n < 0x80 ? [n] : [0x80 | (n >> 8), n & 0xff]);
  return Buffer.concat([
    Buffer.from([...length(text.length), ...length(bytes.length)]),
    bytes,
    Buffer.alloc(1),
  ]);
}

/** A `Res_value`. */
export function typedValue(value: AttributeValue, indexOf: (text: string) => number): Buffer {
  const [type, data] =
    typeof value === 'string'
      ? [0x03, indexOf(value)]
      : typeof value === 'boolean'
        ? [0x12, value ? 0xffffffff : 0]
        : typeof value === 'number'
          ? [0x10, value]
          : [0x01, value.reference];
  return Buffer.concat([u16(8), Buffer.from([0, type]), u32(data)]);
}
