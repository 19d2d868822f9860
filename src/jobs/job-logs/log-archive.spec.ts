import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { JobLogDto } from './job-log.dto.js';
import {
  type ArchiveIndex,
  ArchiveWriter,
  chunksOfArray,
  membersOfArray,
  readMember,
} from './log-archive.js';
import { countLines } from './search-text.js';
import { anyCharacter } from '../../../test/support/any-character.js';

const jobId = '0199b0c2-7c1e-7ad6-a17a-0fdd57e3f4b8';
const toChunks = (payloads: readonly string[]): JobLogDto[] =>
  payloads.map((payload, index) => ({
    jobId,
    number: index + 1,
    payload,
    timestamp: '2026-03-14T09:26:53.000Z',
  }));

async function* texts(chunks: readonly JobLogDto[]): AsyncGenerator<{ chunk: JobLogDto; json: string }> {
  for (const chunk of chunks) yield await Promise.resolve({ chunk, json: JSON.stringify(chunk) });
}

async function written(chunks: readonly JobLogDto[]): Promise<{ members: Buffer[]; index: ArchiveIndex }> {
  const archive = new ArchiveWriter();
  const members = await Array.fromAsync(archive.write(texts(chunks)));
  return { members, index: archive.index };
}

/** An archive as versions before this one wrote it, read in pieces of so many bytes. */
const old = (chunks: readonly JobLogDto[]): Buffer => gzipSync(JSON.stringify(chunks));
function inPieces(bytes: Buffer, size: number): Readable {
  const count = Math.ceil(bytes.length / size);
  return Readable.from(Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size)));
}

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** Texts that could be taken for the end of a chunk. */
const hostile = [
  '},{"jobId":"',
  '"},{"jobId":"x',
  '}]',
  '[{',
  '\\"},{\\"jobId\\":\\"',
  '\u001b[31m§ é💥\u2028',
  '',
  '\n\n',
];
const payload = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: anyCharacter, maxLength: 60 }));

describe('an archive', () => {
  it('is one gzip of one JSON array, which older versions read', async () => {
    const chunks = toChunks(Array.from({ length: 60 }, (_, n) => `${n} `.repeat(15_000)));
    const { members } = await written(chunks);
    expect(members.length).toBeGreaterThan(5);
    expect(JSON.parse(gunzipSync(Buffer.concat(members)).toString())).toEqual(chunks);
  });

  it('can be read member by member, whatever the lines are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(payload, { minLength: 1, maxLength: 12 }),
        fc.nat(2),
        async (payloads, large) => {
          const filler = Array.from({ length: large * 3 }, () => `${'x\n'.repeat(60_000)}x`);
          const chunks = toChunks([...payloads, ...filler, ...payloads]);
          const { members, index } = await written(chunks);
          expect(members.map(({ length }) => length)).toEqual(index.lengths);
          const read = await Promise.all(members.map((member) => readMember(member)));
          expect(read.flat()).toEqual(chunks);
          expect(read.map((some) => some.reduce((sum, chunk) => sum + countLines(chunk.payload), 0))).toEqual(
            index.lines,
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('has members of a bounded size, so that each takes a few milliseconds', async () => {
    const chunks = toChunks(Array.from({ length: 300 }, () => '\u001b'.repeat(16_384)));
    const { members } = await written(chunks);
    const sizes = members.map((member) => gunzipSync(member).length);
    expect(Math.max(...sizes)).toBeLessThan(400_000);
  });
});

describe('an archive of an older version', () => {
  it('is read chunk by chunk, wherever its pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(payload, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 50 }),
        async (payloads, size) => {
          const chunks = toChunks(payloads);
          const array = Buffer.from(JSON.stringify(chunks));
          const read = await Array.fromAsync(chunksOfArray(cut(array.subarray(1, -1), size)));
          expect(read.map(({ chunk }) => chunk)).toEqual(chunks);
          expect(read.map(({ json }) => json)).toEqual(chunks.map((chunk) => JSON.stringify(chunk)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([1, 7, 1000])('gives the members of its array, in pieces of %i bytes', async (size) => {
    const chunks = toChunks(['one\ntwo', '§ three', 'x'.repeat(300_000)]);
    const { members } = await written(chunks);
    for (const archive of [old(chunks), Buffer.concat(members)]) {
      const pieces = await Array.fromAsync(membersOfArray(inPieces(archive, size)));
      expect(JSON.parse(`[${Buffer.concat(pieces).toString()}]`)).toEqual(chunks);
    }
  });

  it('that is damaged fails', async () => {
    const archive = old(toChunks(['one']));
    const damaged = Readable.from([archive.subarray(0, archive.length - 9)]);
    await expect(Array.fromAsync(membersOfArray(damaged))).rejects.toThrow('unexpected end of file');
  });
});
