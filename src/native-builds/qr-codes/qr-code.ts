import { encode as encodePng } from 'fast-png';
import { encode } from 'uqr';
import { invalidField } from '../../common/errors/app-error.js';

/** Light modules around the code, as the standard requires. */
const BORDER = 4;
/** Least width of the image, in pixels; a module is a whole number of them. */
const MIN_WIDTH = 512;

/**
 * Makes a QR code.
 *
 * @param content any text
 * @returns a PNG in black and white
 * @throws InvalidRequestError when the content does not fit a QR code
 */
export function makeQrPng(content: string): Buffer {
  const { size, data: modules } = encodeQr(content);
  const scale = Math.ceil(MIN_WIDTH / size);
  const width = size * scale;
  const bytesPerLine = Math.ceil(width / 8);
  const data = new Uint8Array(width * bytesPerLine);
  for (const [y, line] of modules.entries()) {
    const bits = data.subarray(y * scale * bytesPerLine, (y * scale + 1) * bytesPerLine);
    for (let x = 0; x < width; x++) {
      if (line[Math.floor(x / scale)] === false) bits[x >> 3]! |= 0x80 >> (x & 7);
    }
    for (let copy = 1; copy < scale; copy++) data.set(bits, (y * scale + copy) * bytesPerLine);
  }
  return Buffer.from(encodePng({ width, height: width, data, depth: 1, channels: 1 }));
}

function encodeQr(content: string): ReturnType<typeof encode> {
  try {
    return encode(content, { border: BORDER });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidField('content', 'content is too long for a QR code.');
  }
}
