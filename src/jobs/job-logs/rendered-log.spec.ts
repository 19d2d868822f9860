import { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import type { JobLogDto } from './job-log.dto.js';
import { type ReadLog, RenderedLog, sendWithLogs } from './rendered-log.js';

/** A response to a client that takes each piece at once, like one on the same machine, and that holds the loop for it. */
class TestResponse extends Writable {
  readonly headers = new Map<string, unknown>();
  readonly locals = {};
  readonly pieces: Buffer[] = [];
  headersSent = false;

  constructor(private readonly milliseconds = 0) {
    super({ highWaterMark: 16_384 });
  }

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.headersSent = true;
    this.pieces.push(piece);
    const until = performance.now() + this.milliseconds;
    while (performance.now() < until);
    done();
  }

  set(headers: object): void {
    for (const [name, value] of Object.entries(headers)) this.headers.set(name, value);
  }
  setHeader(name: string, value: unknown): void {
    this.headers.set(name, value);
  }
  removeHeader(name: string): void {
    this.headers.delete(name);
  }
  get(name: string): unknown {
    return this.headers.get(name);
  }
}

const GET = { method: 'GET', fresh: false } as Request;
const send = (log: RenderedLog, response: TestResponse, request = GET): Promise<void> =>
  sendWithLogs(request, response as unknown as Response, { id: 'a', log: log.placeholder, end: true });

const chunks: readonly JobLogDto[] = Array.from({ length: 200 }, (_, n) => ({
  jobId: '0199b0c2-7c1e-7ad6-a17a-0fdd57e3f4b8',
  number: n + 1,
  payload: `${n} "é\u2028 `.repeat(6000),
  timestamp: '2026-03-14T09:26:53.000Z',
}));
const json = Buffer.from(JSON.stringify(chunks)).subarray(1, -1);
const expected = Buffer.from(JSON.stringify({ id: 'a', log: chunks, end: true }));

/** A log in storage, read in pieces of so many bytes, and what has become of those who read it. */
function stored(bytes = json, size = 100_000): { read: ReadLog; opened: number; closed: number } {
  const state = {
    opened: 0,
    closed: 0,
    read: async function* (): AsyncGenerator<Buffer> {
      state.opened++;
      try {
        for (let at = 0; at < bytes.length; at += size)
          yield await Promise.resolve(bytes.subarray(at, at + size));
      } finally {
        state.closed++;
      }
    },
  };
  return state;
}

it('is sent as the JSON of its chunks, wherever it comes from', async () => {
  const running = RenderedLog.EMPTY.with(chunks.slice(0, 70)).with(chunks.slice(70));
  const short = await RenderedLog.fromArchive(3, stored(json.subarray(0, 4_000_000)).read);
  const long = await RenderedLog.fromArchive(200, stored().read);
  expect([running.length, short.length, long.length]).toEqual([json.length, 4_000_000, null]);
  for (const log of [running, long]) {
    const response = new TestResponse();
    await send(log, response);
    expect(Buffer.concat(response.pieces).equals(expected)).toBe(true);
    // The client learns the length only where it is known before all was read.
    expect(response.headers.get('Content-Length')).toBe(log === running ? expected.length : undefined);
  }
  const response = new TestResponse();
  await send(RenderedLog.EMPTY, response);
  expect(Buffer.concat(response.pieces).toString()).toBe('{"id":"a","log":[],"end":true}');
});

it.each(['running', 'stored'])('lets others run while a client takes all of a %s log', async (where) => {
  const log =
    where === 'running'
      ? RenderedLog.EMPTY.with(chunks)
      : await RenderedLog.fromArchive(200, stored(json, 262_144).read);
  const response = new TestResponse(4);
  const seen: number[] = [0];
  let isOver = false;
  const look = (): void => {
    seen.push(response.pieces.length);
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await send(log.length === null ? log : inPieces(log), response);
  isOver = true;
  seen.push(response.pieces.length);
  expect(response.pieces.length).toBeGreaterThan(30);
  // Two pieces of four milliseconds end a slice.
  const most = Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)));
  expect(most).toBeLessThanOrEqual(4);
});

/** The same log as if its chunks had come one after the other. */
function inPieces(log: RenderedLog): RenderedLog {
  expect(log.length).toBe(json.length);
  return chunks.reduce((rendered, chunk) => rendered.with([chunk]), RenderedLog.EMPTY);
}

describe('a long log in storage', () => {
  it('takes no memory, and is read for each reader as far as that one takes it', async () => {
    const source = stored();
    const log = await RenderedLog.fromArchive(200, source.read);
    expect(log.sizeInBytes).toBeLessThan(1000);
    // Only its beginning was read.
    expect([source.opened, source.closed]).toEqual([1, 1]);
    const response = new TestResponse();
    const write = response._write.bind(response);
    response._write = (piece: Buffer, encoding: string, done: () => void) => {
      if (response.pieces.length === 3) response.destroy();
      else write(piece, encoding, done);
    };
    // What a server takes for no error: in tests, errors of Node.js are no instances of `Error`.
    await expect(send(log, response)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect([source.opened, source.closed, response.pieces.length]).toEqual([2, 2, 3]);
  });

  it('is not read for a client that has it, nor for its headers', async () => {
    const source = stored();
    const log = await RenderedLog.fromArchive(200, source.read);
    for (const request of [
      { ...GET, method: 'HEAD' },
      { ...GET, fresh: true },
    ]) {
      const response = Object.assign(new TestResponse(), { status: () => response });
      await send(log, response, request as Request);
      expect([response.pieces.length, response.writableEnded]).toEqual([0, true]);
    }
    expect(source.opened).toBe(1);
  });

  it('that cannot be read fails before the response begins', async () => {
    let isAway = false;
    const { read } = stored();
    const log = await RenderedLog.fromArchive(200, async function* () {
      if (isAway) throw new Error('The storage is away.');
      yield* read();
    });
    isAway = true;
    const response = new TestResponse();
    await expect(send(log, response)).rejects.toThrow('The storage is away.');
    expect([response.headersSent, response.destroyed, response.headers.has('ETag')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
