import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { zipOfEntries } from '../../../test/support/native-builds/android/zip-of-entries.js';
import { DamagedZipError, ZipMember } from './zip-member.js';

const MAX = 1024 * 1024;
const mapping = randomBytes(200_000);

const find = (zip: Buffer, path: string, maxBytes = MAX) =>
  ZipMember.find(
    ({ start, length }) => Promise.resolve(Readable.from([zip.subarray(start, start + length)])),
    zip.length,
    path,
    maxBytes,
  );

describe('a file in a zip', () => {
  it.each([true, false])('is read in parts, in any order; compressed: %s', async (compress) => {
    const zip = await zipOfEntries({ 'other.txt': Buffer.from('x'), 'mapping.txt': mapping }, compress);
    const member = await find(zip, 'mapping.txt');
    expect(member?.sizeInBytes).toBe(200_000);
    for (const [start, length] of [
      [0, 70_000],
      [70_000, 1],
      [70_001, 100_000],
      [199_999, 1],
      [10, 90_000],
      [150_000, 50_000],
    ] as const) {
      expect((await member?.read(start, length))?.equals(mapping.subarray(start, start + length))).toBe(true);
    }
    await expect(member?.read(199_999, 2)).rejects.toThrow(DamagedZipError);
    member?.close();
  });

  it('is not found when it is missing, empty or too large', async () => {
    const zip = await zipOfEntries({ 'mapping.txt': mapping, 'empty.txt': Buffer.alloc(0) });
    expect(await find(zip, 'native-debug-symbols.zip')).toBeNull();
    expect(await find(zip, 'empty.txt')).toBeNull();
    expect(await find(zip, 'mapping.txt', 199_999)).toBeNull();
  });

  it('is damaged where the zip is', async () => {
    await expect(find(Buffer.from('no zip'), 'mapping.txt')).rejects.toThrow(DamagedZipError);
    const zip = await zipOfEntries({ 'mapping.txt': Buffer.alloc(200_000, 'text') });
    zip.fill(0xff, 60, 120);
    const member = await find(zip, 'mapping.txt');
    await expect(member?.read(0, 200_000)).rejects.toThrow(DamagedZipError);
  });

  it('fails as the storage does', async () => {
    const away = () => Promise.reject(new Error('away'));
    await expect(ZipMember.find(away, 100, 'mapping.txt', MAX)).rejects.toThrow('away');
  });
});
