import { zipOfEntries } from './android/zip-of-entries.js';

/** Levels of lists that contain the next one twice: a value of 2^60 elements in a few hundred bytes. */
const LEVELS = 60;

/** A binary property list that needs more memory than there is. */
export function endlessPlist(): Buffer {
  const lists = Array.from({ length: LEVELS }, (_, level) =>
    Buffer.concat([Buffer.from([0xa2]), u16(level + 1), u16(level + 1)]),
  );
  return objectsPlist([...lists, Buffer.from([0x08])]);
}

/**
 * A binary property list of these objects, with offsets and references of two bytes; the first object is the value.
 *
 * @param copies how often the last object but one is there, in one place
 */
export function objectsPlist(objects: readonly Buffer[], copies = 1): Buffer {
  let at = 8;
  const offsets = objects.flatMap(({ length }, index) => {
    const offset = u16((at += length) - length);
    return index === objects.length - 2 ? Array.from({ length: copies }, () => offset) : [offset];
  });
  const trailer = Buffer.alloc(32);
  trailer.writeUInt8(2, 6);
  trailer.writeUInt8(2, 7);
  trailer.writeBigUInt64BE(BigInt(offsets.length), 8);
  trailer.writeBigUInt64BE(BigInt(at), 24);
  return Buffer.concat([Buffer.from('bplist00'), ...objects, ...offsets, trailer]);
}

/** A list of references, for `objectsPlist`. */
export function listObject(references: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from([0xaf, 0x11]), u16(references.length), ...references.map(u16)]);
}

/** Bytes that say how long they are: 4 data, 5 text. */
export function longObject(kind: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(kind << 4) | 15, 0x11]), u16(bytes.length), bytes]);
}

function u16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

/** An ipa with such a list. */
export function endlessIpa(): Promise<Buffer> {
  return zipOfEntries({ 'Payload/App.app/Info.plist': endlessPlist() });
}
