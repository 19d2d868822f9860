import { decode } from 'fast-png';
import { encode } from 'uqr';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import { makeQrPng } from './qr-code.js';

/** The modules of an image: its pixels, one of each module. `true`: dark. */
function modulesOf(png: Buffer, size: number): boolean[][] {
  const { width, height, data, depth } = decode(png);
  const scale = width / size;
  expect([height, depth, Number.isInteger(scale)]).toEqual([width, 1, true]);
  const isDark = (x: number, y: number): boolean => {
    const bytesPerLine = Math.ceil(width / 8);
    return ((data[y * bytesPerLine + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0;
  };
  const numbers = Array.from({ length: size }, (_, n) => n);
  // The last pixel of each module, in both directions.
  return numbers.map((y) => numbers.map((x) => isDark((x + 1) * scale - 1, (y + 1) * scale - 1)));
}

it.each(['a', 'https://slipway.example.com/app-build-shares/0198f2c4', '日本語 😀', 'x'.repeat(1000)])(
  'makes an image of each module of the code of %p',
  (content) => {
    const { data, size } = encode(content, { border: 4 });
    expect(modulesOf(makeQrPng(content), size)).toEqual(data);
  },
);

it('refuses what does not fit', () => {
  expect(() => makeQrPng('😀'.repeat(1000))).toThrow(
    expect.objectContaining({ message: 'content is too long for a QR code.' }),
  );
  expect(() => makeQrPng('😀'.repeat(1000))).toThrow(InvalidRequestError);
});
