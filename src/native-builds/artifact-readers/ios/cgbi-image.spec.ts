import { decode } from 'fast-png';
import { type CgbiImage, cgbiImage } from '../../../../test/support/native-builds/cgbi-image.js';
import { pngIcon } from '../../../../test/support/native-builds/android/app-description.js';
import { WorkBudget } from '../../../common/work-budget.js';
import { toOrdinaryPng as convert } from './cgbi-image.js';

const toOrdinaryPng = (bytes: Buffer): Buffer | null => convert(bytes, new WorkBudget(10_000));

/** Colors that differ from each other, opaque, half transparent and transparent. */
const colorful: CgbiImage['pixelAt'] = (x, y) => [
  (x * 40) % 256,
  (y * 30) % 256,
  (x * y * 7) % 256,
  [255, 128, 0][x % 3] ?? 255,
];
const image = (values: Partial<CgbiImage> = {}): Buffer =>
  cgbiImage({ width: 9, height: 10, pixelAt: colorful, ...values });

/** The pixels of a PNG that every program reads, with the checksums of its parts. */
function pixelsOf(png: Buffer | null): ReturnType<typeof decode> {
  if (png === null) throw new Error('It was not converted.');
  return decode(png, { checkCrc: true });
}

describe('a picture in the form of Apple', () => {
  it.each([0, 1, 2, 3, 4])('becomes an ordinary PNG with the same pixels, with filter %i', (filter) => {
    const { width, height, data, channels } = pixelsOf(toOrdinaryPng(image({ filterOf: () => filter })));
    expect([width, height, channels]).toEqual([9, 10, 4]);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [red, green, blue, alpha] = colorful(x, y);
        const pixel = [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
        // Half transparent colors lose their last bit, and transparent ones all.
        const near = (color: number) => (alpha === 0 ? 0 : expect.closeTo(color, -0.5));
        expect(pixel).toEqual([near(red), near(green), near(blue), alpha]);
        if (alpha === 255) expect(pixel).toEqual([red, green, blue, alpha]);
      }
    }
  });

  it('may have another filter in each line', () => {
    const plain = pixelsOf(toOrdinaryPng(image()));
    expect(pixelsOf(toOrdinaryPng(image({ filterOf: (y) => y % 5 })))).toEqual(plain);
  });

  it('may have no alpha', () => {
    const { data, channels } = pixelsOf(
      toOrdinaryPng(image({ width: 2, height: 1, channels: 3, pixelAt: () => [10, 20, 30, 255] })),
    );
    expect([channels, ...data]).toEqual([3, 10, 20, 30, 10, 20, 30]);
  });

  it('keeps colors within their range, whatever was multiplied', () => {
    const lines = (): Buffer => Buffer.from([0, 200, 100, 50, 10]);
    const { data } = pixelsOf(toOrdinaryPng(image({ width: 1, height: 1, lines })));
    expect([...data]).toEqual([255, 255, 255, 10]);
  });

  it('is left as it is when it is an ordinary one', () => {
    const icon = pngIcon(96);
    expect(toOrdinaryPng(icon)).toBe(icon);
  });

  const set = (at: number, value: number) => (header: Buffer) => void header.writeUInt8(value, at);
  const hostile: readonly [string, Partial<CgbiImage>][] = [
    ['65,535 pixels wide', { header: (header) => header.writeUInt32BE(65_535, 0) }],
    ['4,294,967,295 pixels high', { header: (header) => header.writeUInt32BE(0xffffffff, 4) }],
    ['without width', { header: (header) => header.writeUInt32BE(0, 0) }],
    ['of 16 bits', { header: set(8, 16) }],
    ['with a palette', { header: set(9, 3) }],
    ['in an unknown kind of colors', { header: set(9, 200) }],
    ['compressed in another way', { header: set(10, 1) }],
    ['filtered in another way', { header: set(11, 1) }],
    ['interlaced', { header: set(12, 1) }],
    ['with an unknown filter', { lines: (lines) => (lines.fill(9, 0, 1), lines) }],
    ['with fewer lines than it says', { lines: (lines) => lines.subarray(0, -1) }],
    ['with more lines than it says', { lines: (lines) => Buffer.concat([lines, Buffer.alloc(1)]) }],
    ['that unpacks to 100 MB', { lines: () => Buffer.alloc(100_000_000) }],
  ];

  it.each(hostile)('is not shown %s', (_what, values) => {
    expect(toOrdinaryPng(image(values))).toBeNull();
  });

  it('is not shown when it is cut off anywhere, or damaged', () => {
    const whole = image();
    for (let length = 8; length < whole.length; length += 3) {
      expect(toOrdinaryPng(whole.subarray(0, length))).toBeNull();
    }
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, whole.indexOf('IDAT') + 4, whole.indexOf('IDAT') + 20);
    expect(toOrdinaryPng(damaged)).toBeNull();
    expect(toOrdinaryPng(whole.subarray(0, 8))).toBeNull();
  });

  it('is not shown without a header, or with thousands of parts', () => {
    const whole = image();
    const header = whole.indexOf('IHDR');
    const headless = Buffer.concat([whole.subarray(0, header - 4), whole.subarray(header + 21)]);
    expect(toOrdinaryPng(headless)).toBeNull();
    const empty = Buffer.concat(Array.from({ length: 5000 }, () => whole.subarray(8, 24)));
    expect(toOrdinaryPng(Buffer.concat([whole.subarray(0, 8), empty, whole.subarray(8)]))).toBeNull();
  });
});
