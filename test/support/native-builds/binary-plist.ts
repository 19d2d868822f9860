/** Writes a dictionary of texts and booleans as a binary property list, with objects and offsets of up to 64 KiB. */
export function binaryPlist(values: Readonly<Record<string, string | boolean>>): Buffer {
  const keys = Object.keys(values);
  const count = keys.length;
  const objects = [
    // References to the keys, then to the values: object 0 is the dictionary.
    Buffer.concat([
      marker(0xd0, count),
      ...keys.map((_, index) => u16(1 + index)),
      ...keys.map((_, index) => u16(1 + count + index)),
    ]),
    ...keys.map(text),
    ...Object.values(values).map((value) =>
      typeof value === 'string' ? text(value) : Buffer.from([value ? 0x09 : 0x08]),
    ),
  ];
  let at = 8;
  const offsets = objects.map(({ length }) => u16((at += length) - length));
  const trailer = Buffer.alloc(32);
  trailer.writeUInt8(2, 6);
  trailer.writeUInt8(2, 7);
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(at), 24);
  return Buffer.concat([Buffer.from('bplist00'), ...objects, ...offsets, trailer]);
}

/** ASCII, else UTF-16. */
function text(value: string): Buffer {
  // oxlint-disable-next-line no-control-regex -- ASCII is what it means
  if (/^[\0-\x7f]*$/.test(value)) return Buffer.concat([marker(0x50, value.length), Buffer.from(value)]);
  return Buffer.concat([marker(0x60, value.length), Buffer.from(value, 'utf16le').swap16()]);
}

/** A kind with a length, which is an integer of its own from 15 on. */
function marker(kind: number, length: number): Buffer {
  return length < 15
    ? Buffer.from([kind | length])
    : Buffer.from([kind | 15, 0x11, length >> 8, length & 0xff]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
