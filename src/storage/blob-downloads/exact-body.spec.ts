import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sha256 } from '../../../test/support/sha256.js';
import { DamagedFileError } from '../../common/errors/app-error.js';
import { ExactBody } from './exact-body.js';

/** What passes, and with which error it ends. */
async function pass(chunks: string[], sizeInBytes: number, checksum: string | null) {
  const content = new ExactBody(sizeInBytes, checksum);
  let passed = '';
  content.on('data', (chunk: Buffer) => (passed += chunk.toString()));
  const source = Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );
  const error = await pipeline(source, content).catch((cause: unknown) => cause);
  return { passed, error, isVerified: content.isVerified };
}

it('passes on the expected bytes', async () => {
  const sound = { passed: 'abcdef', error: undefined };
  expect(await pass(['abc', 'def'], 6, sha256('abcdef'))).toEqual({ ...sound, isVerified: true });
  expect(await pass(['abc', 'def'], 6, null)).toEqual({ ...sound, isVerified: false });
  expect(await pass([], 0, sha256(''))).toMatchObject({ passed: '', error: undefined });
});

it.each<[string, string[], number, string | null, string]>([
  ['other bytes', ['abc', 'dxf'], 6, sha256('abcdef'), 'abc'],
  ['other bytes in one piece', ['x'], 1, sha256('a'), ''],
  ['fewer bytes', ['abc'], 6, null, 'abc'],
  ['no bytes', [], 6, null, ''],
  ['more bytes', ['abc', 'def'], 5, null, 'abc'],
])('never passes on the last piece of %s', async (_case, chunks, size, checksum, passed) => {
  const result = await pass(chunks, size, checksum);
  expect(result).toMatchObject({ passed, isVerified: false });
  expect(result.error).toBeInstanceOf(DamagedFileError);
});

it('ends with the last byte, before its source ends', async () => {
  const source = new Readable({ read: () => undefined });
  const content = source.pipe(new ExactBody(3, null));
  source.push('abc');
  let passed = '';
  for await (const chunk of content) passed += String(chunk);
  expect(passed).toBe('abc');
  source.destroy();
});
