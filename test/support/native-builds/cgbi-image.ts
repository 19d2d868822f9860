import { crc32, deflateRawSync } from 'node:zlib';

/** A picture to write as Xcode does. */
export interface CgbiImage {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of each pixel, from 0 to 255. */
  readonly pixelAt: (x: number, y: number) => readonly [number, number, number, number];
  /** 3: without alpha. */
  readonly channels?: 3 | 4;
  /** Filter of the line: 0 none, 1 sub, 2 up, 3 average, 4 Paeth (PNG, 9.2). */
  readonly filterOf?: (y: number) => number;
  /** Changes the header: 13 bytes. */
  readonly header?: (header: Buffer) => void;
  /** Changes the lines before they are compressed. */
  readonly lines?: (lines: Buffer) => Buffer;
}

/** Writes a PNG in Apple's form: blue first, colors multiplied by alpha, compressed without zlib's header and checksum. */
export function cgbiImage(image: CgbiImage): Buffer {
  const { width, height, pixelAt, channels = 4, filterOf = () => 0, lines = (all) => all } = image;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 4 ? 6 : 2, 0, 0, 0], 8);
  image.header?.(header);
  const packed = deflateRawSync(lines(linesOf(width, height, channels, pixelAt, filterOf)));
  const half = packed.length >> 1;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('CgBI', Buffer.from('50002006', 'hex')),
    chunk('IHDR', header),
    chunk('iDOT', Buffer.alloc(28)),
    chunk('IDAT', packed.subarray(0, half)),
    chunk('IDAT', packed.subarray(half)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function linesOf(
  width: number,
  height: number,
  channels: 3 | 4,
  pixelAt: CgbiImage['pixelAt'],
  filterOf: (y: number) => number,
): Buffer {
  const perLine = width * channels;
  const all = Buffer.alloc((perLine + 1) * height);
  let above = Buffer.alloc(perLine);
  for (let y = 0; y < height; y++) {
    const raw = Buffer.alloc(perLine);
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha] = pixelAt(x, y);
      const multiply = (color: number): number =>
        channels === 4 ? Math.round((color * alpha) / 255) : color;
      raw.set([blue, green, red].map(multiply), x * channels);
      if (channels === 4) raw[x * channels + 3] = alpha;
    }
    const start = y * (perLine + 1);
    all[start] = filterOf(y);
    for (let at = 0; at < perLine; at++) {
      const left = raw[at - channels] ?? 0;
      const up = above[at] ?? 0;
      const corner = at < channels ? 0 : (above[at - channels] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filterOf(y)] ?? 0;
      all[start + 1 + at] = (raw[at] ?? 0) - guess;
    }
    above = raw;
  }
  return all;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
