/** A value of ASN.1, where it lies. */
export interface BerValue {
  readonly tag: number;
  /** With its tag and length. */
  readonly bytes: Buffer;
  readonly content: Buffer;
}

const MAX_DEPTH = 64;

/**
 * Reads one value of ASN.1 in DER or BER. Values are not copied, so that certificates stay what was hashed.
 *
 * @throws RangeError when it does not end within the bytes
 */
export function readBer(bytes: Buffer, at = 0, depth = 0): BerValue {
  if (depth > MAX_DEPTH) throw new RangeError('It is nested too deeply.');
  const tag = bytes.readUInt8(at);
  const first = bytes.readUInt8(at + 1);
  if (first === 0x80) {
    let end = at + 2;
    while (bytes.readUInt16BE(end) !== 0) end += readBer(bytes, end, depth + 1).bytes.length;
    return { tag, bytes: bytes.subarray(at, end + 2), content: bytes.subarray(at + 2, end) };
  }
  const lengthBytes = first & 0x80 ? first & 0x7f : 0;
  if (lengthBytes > 4) throw new RangeError('It is too long.');
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  if (start + length > bytes.length) throw new RangeError('It ends too late.');
  return { tag, bytes: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) };
}

/** The values in a value. */
export function childrenOf({ content }: BerValue): BerValue[] {
  const children: BerValue[] = [];
  for (let at = 0; at < content.length;) {
    const child = readBer(content, at);
    children.push(child);
    at += child.bytes.length;
  }
  return children;
}
