import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { SecretMasker } from '../../common/secrets/secret-masker.js';
import { ApiClient } from '../api/api-client.js';
import { ApiAwayError } from '../api/api-errors.js';
import { ApiHealth } from '../api/api-health.js';
import { JobApi } from '../api/job-api.js';
import { JobLog } from './job-log.js';
import { LogSender } from './log-sender.js';
import { LogSpool } from './log-spool.js';

const PART = 65_536;

let dir: string;
let server: Server;
let api: JobApi;
let spool: LogSpool;
/** What the server has. */
let arrived: Buffer;
/** Largest body of a request, in bytes. */
let largest: number;
/** Responses that are lost, after the server has stored the part. */
let lost: number;

beforeEach(async () => {
  [arrived, largest, lost] = [Buffer.alloc(0), 0, 0];
  dir = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
  spool = new LogSpool(join(dir, 'log'));
  server = createServer(async (request, response) => {
    const body = await buffer(request);
    largest = Math.max(largest, body.length);
    const part = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    const offset = Number(request.headers['upload-offset']);
    const headers = { 'upload-offset': String(arrived.length) };
    if (offset > arrived.length) {
      response.writeHead(409, headers).end('{"code":"log_out_of_step"}');
      return;
    }
    arrived = Buffer.concat([arrived, part.subarray(arrived.length - offset)]);
    if (lost-- > 0) request.socket.destroy();
    else response.writeHead(202).end(JSON.stringify({ logBytes: arrived.length }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = new JobApi(new ApiClient(origin, 't', new ApiHealth(() => undefined)), new AbortController().signal);
});
afterEach(async () => {
  server.close();
  spool.close();
  await rm(dir, { recursive: true });
});

const start = (): LogSender =>
  new LogSender(spool, api, { maxLogChunkBytes: PART, logSeconds: 0.05 }, new AbortController().signal);

it('sends a log that grows, also one that gzip makes longer, and what the server lost', async () => {
  const sender = start();
  const bytes = randomBytes(3 * PART + 100);
  spool.append(bytes.subarray(0, 100));
  lost = 1;
  await new Promise((resolve) => setTimeout(resolve, 200));
  spool.append(bytes.subarray(100));
  await sender.close();
  expect(arrived.equals(bytes)).toBe(true);
  expect(largest).toBeLessThanOrEqual(PART);
  // As after a failover of its database.
  arrived = arrived.subarray(0, PART);
  await sender.resendFrom(String(PART));
  expect(arrived.equals(bytes)).toBe(true);
});

it('goes on when the API was away for longer than it waits for one request', async () => {
  let failures = 2;
  const flaky = {
    sendLog: (offset: number, part: Buffer) =>
      failures-- > 0 ? Promise.reject(new ApiAwayError('away')) : api.sendLog(offset, part),
  } as JobApi;
  const pace = { maxLogChunkBytes: PART, logSeconds: 0.05 };
  const sender = new LogSender(spool, flaky, pace, new AbortController().signal);
  spool.append(Buffer.from('during an outage'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  await sender.close();
  expect(arrived.toString()).toBe('during an outage');
});

it('goes on where the server is', async () => {
  spool.append(Buffer.alloc(2 * PART, 'a'));
  const sender = start();
  await sender.close();
  arrived = arrived.subarray(0, 10);
  spool.append(Buffer.from('end'));
  await sender.resendFrom(String(2 * PART));
  expect(arrived.toString()).toBe(`${'a'.repeat(2 * PART)}end`);
});

it('refuses an offset that the log does not have', async () => {
  const sender = start();
  await sender.close();
  await expect(sender.resendFrom('5')).rejects.toThrow('The API asks for the log from 5');
});

describe('a log', () => {
  const open = (maxBytes: number): JobLog =>
    new JobLog(spool, SecretMasker.of(['top secret']), {
      maxBytes,
      onOutput: () => undefined,
      onMasked: () => undefined,
    });
  const text = (): string => spool.read(0, 1_000_000).toString();

  it('keeps lines of the runner apart from what commands print', () => {
    const log = open(1000);
    log.line('first');
    log.write(Buffer.from('no end, top sec'));
    log.line('next');
    log.write(Buffer.from('top secret\n'));
    log.line('last top secret');
    log.end();
    expect(text()).toBe('§ first\nno end, top sec\n§ next\n***\n§ last ***\n');
  });

  it('lets no command print a line of the runner', () => {
    const log = open(1000);
    const [first, second] = [Buffer.from('§').subarray(0, 1), Buffer.from('§').subarray(1)];
    log.write(Buffer.from('§ fake\n\\n§ as the command-line tool shows it\n'));
    for (const part of [first, Buffer.from('\x1b[2K'), second, Buffer.from(' split\n')]) log.write(part);
    for (const part of [first, second, Buffer.from(' in chunks')]) log.write(part);
    log.line('Fetching main\n§ fake\x1b[2J \\x1b[2J.');
    log.end();
    expect(text().split('\n')).toEqual([
      '\\u00a7 fake',
      '\\n\\u00a7 as the command-line tool shows it',
      expect.not.stringContaining('§') as string,
      '\\u00a7 in chunks',
      '§ Fetching main \\u00a7 fake .',
      '',
    ]);
  });

  it('keeps no more than its limit, and counts the rest', () => {
    const log = open(10_000);
    for (let line = 0; line < 1000; line++) log.write(Buffer.from(`a line of output, number ${line}\n`));
    log.line('The command ended with top secret.');
    log.end();
    expect(spool.length).toBeLessThanOrEqual(10_000);
    expect(text()).toMatch(/\n§ The output is longer than 9,500 bytes: the rest is not kept\.\n/);
    expect(text()).toMatch(/\n§ The command ended/);
  });
});
