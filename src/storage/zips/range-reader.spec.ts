import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { RangeReader } from './range-reader.js';

const SIZE = 1024 * 1024;

it.each([
  ['small', 1000],
  ['large', SIZE],
])('keeps the failure of the storage in the middle of a %s part', async (_name, length) => {
  const failure = new Error('The storage is away.');
  function* failing(): Generator<Buffer> {
    yield Buffer.alloc(100);
    throw failure;
  }
  const reader = new RangeReader(
    () => Promise.resolve(Readable.from(failing(), { objectMode: false })),
    SIZE,
  );
  await expect(buffer(reader._readStreamForRange(0, length))).rejects.toThrow(failure);
  expect(reader.failure).toBe(failure);
});
