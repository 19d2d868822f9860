import fc from 'fast-check';
import { limitLines, MAX_CHUNK, toChunks } from './job-log-writer.service.js';

it('joins lines to chunks of at most 64 KiB, and loses none', () => {
  const line = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.constant('ü'.repeat(12_000)));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const clean = lines.map((text) => text.replaceAll('\n', ''));
      const chunks = toChunks(clean);
      expect(Math.max(0, ...chunks.map((chunk) => Buffer.byteLength(chunk)))).toBeLessThanOrEqual(MAX_CHUNK);
      expect(chunks.flatMap((chunk) => chunk.split('\n'))).toEqual(clean);
    }),
  );
});

it('keeps a line that is empty', () => {
  expect(toChunks([''])).toEqual(['']);
  expect(toChunks([])).toEqual([]);
});

it('keeps lines up to the limit, then says so', () => {
  expect(limitLines(['abc', 'de'], 0, 7)).toEqual({ lines: ['abc', 'de'], sizeInBytes: 7, isFull: false });
  expect(limitLines(['abc', 'def'], 1000, 1007)).toEqual({
    lines: ['abc', 'The log is longer than 1,007 bytes. The rest is not kept.'],
    sizeInBytes: 1004,
    isFull: true,
  });
});
