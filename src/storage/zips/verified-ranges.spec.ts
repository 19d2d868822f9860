import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sha256 } from '../../../test/support/sha256.js';
import { OtherBytesError } from '../../common/errors/app-error.js';
import type { ByteRange } from '../object-storage.js';
import { VerifiedRanges } from './verified-ranges.js';

const MIB = 1024 * 1024;
const content = randomBytes(2 * MIB + 1000);

/** In pieces as they come from a socket. */
function streamOf(bytes: Buffer): Readable {
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += 65_000) yield bytes.subarray(at, at + 65_000);
  };
  return Readable.from(pieces(), { objectMode: false });
}

/** @param sent what the store sends of parts */
const rangesOf = (sent: Buffer, whole = content) =>
  VerifiedRanges.of(
    streamOf(whole),
    { sha256: sha256(content), sizeInBytes: content.length },
    ({ start, length }: ByteRange) => Promise.resolve(streamOf(sent.subarray(start, start + length))),
  );

describe('VerifiedRanges', () => {
  it.each([
    [0, content.length],
    [0, 1],
    [MIB - 1, 2],
    [MIB, MIB],
    [2 * MIB + 10, 990],
  ])('reads the part of %d and %d', async (start, length) => {
    const ranges = await rangesOf(content);
    const part = await buffer(await ranges.open({ start, length }));
    expect(part.equals(content.subarray(start, start + length))).toBe(true);
  });

  it('fails where the store sends other bytes', async () => {
    const wrong = Buffer.from(content);
    wrong[MIB + 5]! ^= 1;
    const ranges = await rangesOf(wrong);
    expect(await buffer(await ranges.open({ start: 0, length: MIB }))).toHaveLength(MIB);
    await expect(buffer(await ranges.open({ start: MIB, length: 1 }))).rejects.toThrow(OtherBytesError);
    await expect(buffer(await ranges.open({ start: 0, length: content.length }))).rejects.toThrow(
      OtherBytesError,
    );
  });

  it('is not made of another object', async () => {
    await expect(rangesOf(content, content.subarray(1))).rejects.toThrow(OtherBytesError);
  });
});
