const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length, type and checksum around the data. */
const AROUND = 12;
/** Far more than any icon has. */
const MAX_CHUNKS = 1000;

/** A part of a PNG, of which the checksum is not compared. */
export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/** The parts of a PNG, up to its end. @throws RangeError when it is cut off */
export function chunksOf(bytes: Buffer): PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = SIGNATURE.length; chunks.length < MAX_CHUNKS;) {
    const length = bytes.readUInt32BE(at);
    if (at + AROUND + length > bytes.length) throw new RangeError('It ends too early.');
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return chunks;
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += AROUND + length;
  }
  throw new RangeError('It has too many parts.');
}

/** A PNG of these parts, without checksums: for readers that compare none. */
export function joinChunks(chunks: readonly PngChunk[]): Buffer {
  const parts = [...chunks, { type: 'IEND', data: Buffer.alloc(0) }].flatMap(({ type, data }) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return [length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)];
  });
  return Buffer.concat([SIGNATURE, ...parts]);
}

/** What a PNG says about itself; zeros when it says nothing. */
export function sizeOf(bytes: Buffer): { readonly width: number; readonly height: number } {
  try {
    const header = chunksOf(bytes).find(({ type }) => type === 'IHDR');
    if (header !== undefined)
      return { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
  } catch {
    // It is damaged.
  }
  return { width: 0, height: 0 };
}
