import { once } from 'node:events';
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

it('does not take it for a failure of the storage when a large part is not read to its end', async () => {
  function* endless(): Generator<Buffer> {
    for (;;) yield Buffer.alloc(1000);
  }
  const part = Readable.from(endless(), { objectMode: false });
  const reader = new RangeReader(() => Promise.resolve(part), SIZE);
  for await (const chunk of reader._readStreamForRange(0, SIZE)) {
    expect(chunk).toHaveLength(1000);
    break;
  }
  if (!part.closed) await once(part, 'close');
  expect([part.destroyed, reader.failure]).toEqual([true, null]);
});
