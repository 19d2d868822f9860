import protobuf from 'protobufjs';
import type { UploadedApp } from './artifact-file.ts';

const VERSION_CODE = 0x0101021b;

/** aapt2's `Resources.proto`, as far as the first element needs it. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message XmlNode { XmlElement element = 1; }
  message XmlElement { string name = 3; repeated XmlAttribute attribute = 4; }
  message XmlAttribute { string name = 2; string value = 3; Item compiled_item = 6; }
  message Item { Primitive prim = 7; }
  message Primitive { int32 int_decimal_value = 6; }
`);

interface ProtoAttribute {
  readonly name?: string;
  readonly value?: string;
  readonly compiledItem?: { readonly prim?: { readonly intDecimalValue?: number } };
}

/** The manifest of an aab. @returns `null` when it is none */
export function readProtoManifest(bytes: Buffer): UploadedApp | null {
  const type = root.lookupType('XmlNode');
  let attributes: readonly ProtoAttribute[];
  try {
    const node = type.toObject(type.decode(bytes)) as { element?: { attribute?: ProtoAttribute[] } };
    attributes = node.element?.attribute ?? [];
  } catch {
    return null;
  }
  const packageName = attributes.find(({ name }) => name === 'package')?.value;
  const version = attributes.find(({ name }) => name === 'versionCode');
  return toApp(packageName, version?.compiledItem?.prim?.intDecimalValue ?? Number(version?.value));
}

/** The binary manifest of an apk: the string pool, the ids of attributes, the first element. @returns `null` when it is none */
export function readBinaryManifest(bytes: Buffer): UploadedApp | null {
  let strings: string[] = [];
  let ids: number[] = [];
  try {
    for (let at = bytes.readUInt16LE(2); at < bytes.length; at += bytes.readUInt32LE(at + 4)) {
      const type = bytes.readUInt16LE(at);
      if (type === 0x0001) strings = readStrings(bytes.subarray(at));
      if (type === 0x0180) ids = readWords(bytes.subarray(at + 8, at + bytes.readUInt32LE(at + 4)));
      if (type === 0x0102) return readElement(bytes.subarray(at), strings, ids);
      if (bytes.readUInt32LE(at + 4) < 8) return null;
    }
  } catch {
    return null;
  }
  return null;
}

function readElement(chunk: Buffer, strings: readonly string[], ids: readonly number[]): UploadedApp | null {
  let packageName: string | undefined;
  let versionCode: number | undefined;
  const start = 16 + chunk.readUInt16LE(24);
  for (let index = 0; index < chunk.readUInt16LE(28); index++) {
    const at = start + 20 * index;
    const name = chunk.readUInt32LE(at + 4);
    if (strings[name] === 'package') packageName = strings[chunk.readUInt32LE(at + 8)];
    if (ids[name] === VERSION_CODE) versionCode = chunk.readUInt32LE(at + 16);
  }
  return toApp(packageName, versionCode);
}

function readStrings(chunk: Buffer): string[] {
  const isUtf8 = (chunk.readUInt32LE(16) & 0x100) !== 0;
  const start = chunk.readUInt32LE(20);
  return readWords(chunk.subarray(28, 28 + 4 * chunk.readUInt32LE(8))).map((offset) => {
    const at = start + offset;
    if (!isUtf8) return chunk.toString('utf16le', at + 2, at + 2 + 2 * chunk.readUInt16LE(at));
    // Two lengths, of which each has a second byte when it is above 127; the second one counts bytes.
    const second = at + (chunk.readUInt8(at) > 127 ? 2 : 1);
    const length = chunk.readUInt8(second);
    if (length <= 127) return chunk.toString('utf8', second + 1, second + 1 + length);
    return chunk.toString(
      'utf8',
      second + 2,
      second + 2 + (((length & 127) << 8) | chunk.readUInt8(second + 1)),
    );
  });
}

function readWords(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(4 * index));
}

function toApp(packageName: string | undefined, versionCode: number | undefined): UploadedApp | null {
  if (packageName === undefined || versionCode === undefined || !Number.isInteger(versionCode)) return null;
  return { packageName, versionCode };
}
