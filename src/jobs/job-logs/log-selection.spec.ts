import fc from 'fast-check';
import type { JobLogDto } from './job-log.dto.js';
import { MAX_TEXT } from './job-log-lines.dto.js';
import { LogHits } from './log-hits.js';
import { LogIndex } from './log-index.js';
import type { LogPart, LogParts } from './log-parts.js';
import { hitsIn, linesIn, LogMovedError, readEnd, readLines, searchParts } from './log-selection.js';

/** A log in memory, of which each read gives two parts. */
class TestParts implements LogParts {
  readonly index = new LogIndex();
  reads = 0;

  constructor(readonly payloads: readonly (readonly string[])[]) {
    for (const part of payloads)
      this.index.add({ lines: part.flatMap((one) => one.split('\n')).length, marks: [] });
  }

  get lines(): string[] {
    return this.payloads.flat().flatMap((payload) => payload.split('\n'));
  }

  read(wanted: readonly number[]): Promise<LogPart[]> {
    this.reads++;
    return Promise.resolve(
      wanted
        .slice(0, 2)
        .map((part) => ({ part, chunks: (this.payloads[part] ?? []).map((one) => chunk(one)) })),
    );
  }
}

const chunk = (payload: string): JobLogDto => ({
  jobId: '',
  number: 1,
  payload,
  timestamp: '2026-03-14T09:26:53.000Z',
});
const payload = fc
  .array(fc.constantFrom('', 'a', 'b', 'error'), { minLength: 1, maxLength: 5 })
  .map((lines) => lines.join('\n'));
const log = fc
  .array(fc.array(payload, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  .map((parts) => new TestParts(parts));

describe('lines', () => {
  it('are all read once, forward and backward, whatever the limit', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 9 }), async (parts, limit) => {
        const { index } = parts;
        const all = parts.lines.map((text, place) => ({ number: place + 1, text }));
        const forward = [];
        for (let after = 0; ; after = forward.at(-1)?.number ?? 0) {
          const page = await readLines(index, parts, linesIn({ after, limit }, index.totalLines));
          forward.push(...page);
          if (page.length === 0) break;
        }
        expect(forward).toMatchObject(all);
        let backward = await readLines(index, parts, linesIn({ limit }, index.totalLines));
        for (let before = backward[0]?.number ?? 1; before > 1; before = backward[0]?.number ?? 1) {
          backward = [
            ...(await readLines(index, parts, linesIn({ before, limit }, index.totalLines))),
            ...backward,
          ];
        }
        expect(backward).toMatchObject(all);
      }),
    );
  });

  it('are none beyond the ends', () => {
    expect(linesIn({ after: 10, limit: 5 }, 10)).toEqual([]);
    expect(linesIn({ after: 2_147_483_647, limit: 5 }, 10)).toEqual([]);
    expect(linesIn({ before: 1, limit: 5 }, 10)).toEqual([]);
    expect(linesIn({ before: 2_147_483_647, limit: 2 }, 10)).toEqual([10, 9]);
    expect(linesIn({ limit: 5 }, 0)).toEqual([]);
  });

  it('of a response have a megabyte of text, or are one line', async () => {
    const long = 'ü'.repeat(MAX_TEXT / 4);
    const parts = new TestParts([[long], [long], [long], [`${long}${long}${long}`], ['end']]);
    const read = async (range: object): Promise<number[]> => {
      const wanted = linesIn({ limit: 5, ...range }, 5);
      return (await readLines(parts.index, parts, wanted)).map(({ number }) => number);
    };
    expect(await read({ after: 0 })).toEqual([1, 2]);
    expect(await read({ after: 2 })).toEqual([3]);
    expect(await read({ after: 3 })).toEqual([4]);
    expect(await read({})).toEqual([5]);
    expect(await read({ before: 5 })).toEqual([4]);
  });

  it('of a log that moves are not read', async () => {
    const gone: LogParts = { read: () => Promise.resolve([]) };
    await expect(readLines(new TestParts([['a']]).index, gone, [1])).rejects.toThrow(LogMovedError);
  });
});

describe('lines with a text', () => {
  it('are those that contain it', async () => {
    await fc.assert(
      fc.asyncProperty(log, async (parts) => {
        const hits = await searchParts(parts.index, parts, 'error', LogHits.none());
        const expected = parts.lines.flatMap((line, place) => (line === 'error' ? [place + 1] : []));
        expect(hits.numbers).toEqual(expected);
        const page = await readLines(parts.index, parts, hitsIn({ limit: 2000 }, hits.numbers));
        expect(hits.linesOf(hitsIn({ limit: 2000 }, hits.numbers))).toEqual(page);
        expect(page.map(({ number, text }) => [number, text])).toEqual(
          expected.map((number) => [number, 'error']),
        );
      }),
    );
  });

  it('come in pages: next, previous, last', () => {
    const hits = [3, 5, 8, 13, 21];
    expect(hitsIn({ after: 0, limit: 2 }, hits)).toEqual([3, 5]);
    expect(hitsIn({ after: 5, limit: 2 }, hits)).toEqual([8, 13]);
    expect(hitsIn({ after: 6, limit: 1 }, hits)).toEqual([8]);
    expect(hitsIn({ before: 8, limit: 1 }, hits)).toEqual([5]);
    expect(hitsIn({ before: 22, limit: 2 }, hits)).toEqual([21, 13]);
    expect(hitsIn({ limit: 2 }, hits)).toEqual([21, 13]);
    expect([...hitsIn({ after: 21, limit: 2 }, hits), ...hitsIn({ before: 3, limit: 2 }, hits)]).toEqual([]);
  });

  it('are searched from where the search before has ended', async () => {
    const payloads = [['error'], ['a\nerror'], ['b'], ['error\nerror']];
    const before = new TestParts(payloads.slice(0, 2));
    const parts = new TestParts(payloads);
    const first = await searchParts(before.index, before, 'error', LogHits.none());
    const all = await searchParts(parts.index, parts, 'error', first);
    expect([first.numbers, first.parts, all.numbers, all.parts]).toEqual([[1, 3], 2, [1, 3, 5, 6], 4]);
    expect(all.linesOf([6, 3])).toMatchObject([{ number: 3 }, { number: 6 }]);
  });

  it('are kept only while all of them fit in one response', async () => {
    const long = `error ${'ü'.repeat(MAX_TEXT / 8)}`;
    const search = (count: number): Promise<LogHits> => {
      const parts = new TestParts(Array.from({ length: count }, () => [long]));
      return searchParts(parts.index, parts, 'error', LogHits.none());
    };
    const [few, many] = [await search(3), await search(4)];
    expect(few.linesOf([2, 3])).toMatchObject([{ number: 2, text: long }, { number: 3 }]);
    expect([many.linesOf([2]), many.numbers]).toEqual([null, [1, 2, 3, 4]]);
    expect(few.sizeInBytes).toBeGreaterThan(1.4 * MAX_TEXT);
    expect(many.sizeInBytes).toBeLessThan(1000);
  });

  it('are not searched any more when the client has left', async () => {
    const parts = new TestParts(Array.from({ length: 50 }, () => ['a']));
    const gone = new AbortController();
    gone.abort(new Error('The client has left.'));
    await expect(searchParts(parts.index, parts, 'a', LogHits.none(), gone.signal)).rejects.toThrow(
      'The client has left.',
    );
    expect(parts.reads).toBe(1);
  });
});

it('reads the end of a log, oldest first, without the rest', async () => {
  const long = 'x'.repeat(60_000);
  const parts = new TestParts(Array.from({ length: 100 }, (_, n) => [`${n}a ${long}`, `${n}b ${long}`]));
  const end = await readEnd(parts.index, parts);
  expect(end.at(-1)?.payload).toMatch(/^99b /);
  expect(end.at(-2)?.payload).toMatch(/^99a /);
  expect(end.length).toBeLessThan(24);
});
