import { zipOfEntries } from './android/zip-of-entries.js';

/** Levels of lists that contain the next one twice: a value of 2^60 elements in a few hundred bytes. */
const LEVELS = 60;

/** A binary property list that needs more memory than there is, after some time. */
export function endlessPlist(): Buffer {
  const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
  const lists = Array.from({ length: LEVELS }, (_, level) =>
    Buffer.concat([Buffer.from([0xa2]), u16(level + 1), u16(level + 1)]),
  );
  const objects = [...lists, Buffer.from([0x08])];
  let at = 8;
  const offsets = objects.map(({ length }) => u16((at += length) - length));
  const trailer = Buffer.alloc(32);
  trailer.writeUInt8(2, 6);
  trailer.writeUInt8(2, 7);
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(at), 24);
  return Buffer.concat([Buffer.from('bplist00'), ...objects, ...offsets, trailer]);
}

/** An ipa with such a list. */
export function endlessIpa(): Promise<Buffer> {
  return zipOfEntries({ 'Payload/App.app/Info.plist': endlessPlist() });
}
