import { deflateSync, inflateRawSync } from 'node:zlib';
import { decode, encode } from 'fast-png';
import { TooMuchWorkError, type WorkBudget } from '../../../common/work-budget.js';
import { chunksOf, joinChunks, type PngChunk } from './png-chunks.js';

/** Largest width and height, in pixels: icons of apps have at most 1024. */
const MAX_SIDE = 1024;
/** What a byte of the pixels costs, which are unpacked, converted and packed again. */
const PIXEL_WORK = 10;
/** Colors with 8 bits each, by the type of color in the header (PNG, 11.2.1). */
const CHANNELS: ReadonlyMap<number, 3 | 4> = new Map([
  [2, 3],
  [6, 4],
]);

/**
 * A PNG that browsers show. Xcode writes icons in a form of Apple's own: a chunk `CgBI` before the header, the pixels
 * compressed without the header and checksum of zlib, in the order blue, green, red, and multiplied by their alpha. It is
 * described in the Apple Wiki, "CgBI file format".
 *
 * @returns `null`: it is damaged, too large, or in a form that Xcode does not write, such as interlaced
 * @throws TooMuchWorkError
 */
export function toOrdinaryPng(bytes: Buffer, work: WorkBudget): Buffer | null {
  try {
    const chunks = chunksOf(bytes);
    return chunks[0]?.type === 'CgBI' ? convert(chunks, work) : (requireHeader(chunks), bytes);
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw error;
    return null;
  }
}

function convert(chunks: readonly PngChunk[], work: WorkBudget): Buffer {
  const { header, width, height, channels } = requireHeader(chunks);
  if (channels === null) throw new RangeError('Its colors are of another kind.');
  // Each line begins with the number of its filter.
  const length = (width * channels + 1) * height;
  work.spend(PIXEL_WORK * length);
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const lines = inflateRawSync(packed, { maxOutputLength: length });
  if (lines.length !== length) throw new RangeError('It has too few pixels.');
  const { data } = decode(
    joinChunks([
      { type: 'IHDR', data: header },
      { type: 'IDAT', data: deflateSync(lines, { level: 0 }) },
    ]),
  );
  for (let at = 0; at < data.length; at += channels) restorePixel(data, at, channels);
  return Buffer.from(encode({ width, height, data, depth: 8, channels }));
}

interface Header {
  readonly header: Buffer;
  readonly width: number;
  readonly height: number;
  /** `null`: of another kind than Xcode writes. */
  readonly channels: 3 | 4 | null;
}

/** @throws RangeError when there is none, or the picture is too large */
function requireHeader(chunks: readonly PngChunk[]): Header {
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined) throw new RangeError('It has no header.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width === 0 || height === 0 || width > MAX_SIDE || height > MAX_SIDE)
    throw new RangeError('It is too large.');
  const [depth, color, compression, filter, interlace] = header.subarray(8, 13);
  const isUsual = depth === 8 && compression === 0 && filter === 0 && interlace === 0;
  return { header, width, height, channels: isUsual ? (CHANNELS.get(color ?? -1) ?? null) : null };
}

/** Red comes first, and colors are not multiplied by alpha. */
function restorePixel(
  data: Exclude<ReturnType<typeof decode>['data'], undefined>,
  at: number,
  channels: 3 | 4,
): void {
  const blue = data[at] ?? 0;
  data[at] = data[at + 2] ?? 0;
  data[at + 2] = blue;
  if (channels === 3) return;
  const alpha = data[at + 3] ?? 0;
  if (alpha === 0 || alpha === 255) return;
  for (let channel = at; channel < at + 3; channel++) {
    data[channel] = Math.min(255, Math.round(((data[channel] ?? 0) * 255) / alpha));
  }
}
