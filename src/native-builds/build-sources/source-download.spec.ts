import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import type {
  OutboundCalls,
  OutboundRequest,
  OutboundResponse,
} from '../../common/http/outbound/outbound.js';
import type { StagedBlob } from '../../storage/blobs/blobs.service.js';
import { SourceDownload } from './source-download.js';

const STRONG = { etag: '"one"', 'accept-ranges': 'bytes' };

let clock: number;
let requests: OutboundRequest[];
let staged: Promise<Buffer>;
let download: SourceDownload;
beforeEach(() => {
  clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  requests = [];
  download = new SourceDownload((bytes) => {
    staged = buffer(bytes);
    return staged as Promise<unknown> as Promise<StagedBlob>;
  });
});
afterEach(() => jest.restoreAllMocks());

/** A server of one response, whose parts arrive a minute after each other. */
const serving = (status: number, headers: object, ...parts: readonly string[]): OutboundCalls => ({
  request: (request) => {
    requests.push(request);
    // A stream would read ahead of the clock.
    const stream = (async function* () {
      for (const part of parts) {
        yield Buffer.from(part);
        await Promise.resolve();
        clock += 61_000;
      }
    })();
    const response = { status, headers, stream: Object.assign(stream, { destroy: () => undefined }) };
    return Promise.resolve(response as unknown as OutboundResponse);
  },
});

const fetch = (calls: OutboundCalls, othersWait = true): ReturnType<SourceDownload['fetch']> =>
  download.fetch(calls, 'https://example.com/app.zip', () => Promise.resolve(othersWait));

it('pauses when it is slow and others wait, and continues where it was', async () => {
  expect(await fetch(serving(200, STRONG, 'one,', 'two,', 'three,', 'four'))).toBe('paused');
  expect(download.canContinue).toBe(true);
  const rest = { 'content-range': 'bytes 8-17/18' };
  expect(await fetch(serving(206, rest, 'three,four'))).toBe('ended');
  expect(requests[1]?.headers).toEqual({ range: 'bytes=8-', 'if-range': '"one"' });
  expect((await staged).toString()).toBe('one,two,three,four');
});

it('keeps its place while no one else waits', async () => {
  expect(await fetch(serving(200, STRONG, 'one,', 'two,', 'three'), false)).toBe('ended');
  expect((await staged).toString()).toBe('one,two,three');
});

it('keeps its place at 256 KiB a second', async () => {
  const minute = 'x'.repeat(60 * 256 * 1024);
  expect(await fetch(serving(200, STRONG, minute, 'end'))).toBe('ended');
  expect((await staged).length).toBe(minute.length + 3);
});

it.each([
  ['sends no ETag', { 'accept-ranges': 'bytes' }],
  ['sends a weak ETag', { ...STRONG, etag: 'W/"one"' }],
  ['sends no ranges', { etag: '"one"' }],
])('begins again when the server %s', async (_what, headers) => {
  expect(await fetch(serving(200, headers, 'one,', 'two,', 'three'))).toBe('paused');
  expect(download.canContinue).toBe(false);
});

it.each([
  ['the whole of another zip', 200, {}],
  ['another part', 206, { 'content-range': 'bytes 4-17/18' }],
])('begins again when it gets %s', async (_what, status, headers) => {
  expect(await fetch(serving(200, STRONG, 'one,', 'two,', 'three'))).toBe('paused');
  expect(await fetch(serving(status, headers, 'other'))).toBe('changed');
});

it('fails when the server has no zip any more', async () => {
  expect(await fetch(serving(200, STRONG, 'one,', 'two,', 'three'))).toBe('paused');
  const failure = { reason: 'example.com answered with the status 404.', isTransient: false };
  await expect(fetch(serving(404, {}))).rejects.toMatchObject(failure);
  await expect(staged).rejects.toMatchObject(failure);
});
