import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ApiClient, readJson } from './api-client.js';
import { ApiAwayError, JobGoneError, NotUnderstoodError, RefusedError } from './api-errors.js';
import { ApiHealth } from './api-health.js';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let client: ApiClient;
/** What the server does with one request after the other. */
let replies: Reply[];
let received: string[];
let messages: string[];

const reply =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
const breakOff: Reply = (request) => request.socket.destroy();

beforeEach(async () => {
  received = [];
  messages = [];
  server = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    replies.shift()?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new ApiClient(origin, 'secret', new ApiHealth((message) => messages.push(message)));
});
/** A request that a test gave up reaches a slow server later: it must not take the reply of the next test. */
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const get = (values: object = {}): Promise<unknown> =>
  client.send({ method: 'GET', path: '/v1/thing', ...values }, readJson);

it('sends a request again while the API is away, and says so once', async () => {
  replies = [
    breakOff,
    reply(503, '{"message":"The database is away."}'),
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"half');
      setTimeout(() => response.destroy(), 50);
    },
    reply(200, '{"value":1}'),
  ];
  expect(await get()).toEqual({ value: 1 });
  expect(received).toEqual(Array.from({ length: 4 }, () => 'GET /v1/thing Bearer secret'));
  expect(messages).toEqual([
    expect.stringMatching(/^The API is away: .+\. Trying again/),
    expect.stringMatching(/^The API is back after \d+ s\.$/),
  ]);
});

it('waits as long as the API asks for', async () => {
  let refusedAt = 0;
  replies = [
    (_request, response) => {
      refusedAt = Date.now();
      response.writeHead(429, { 'retry-after': '2' }).end('{}');
    },
    reply(200, '{}'),
  ];
  await get();
  expect(Date.now() - refusedAt).toBeGreaterThanOrEqual(2000);
});

it('gives up after its patience', async () => {
  replies = [reply(500, '')];
  await expect(get({ patience: 0 })).rejects.toThrow(ApiAwayError);
});

it('takes a response that comes too late for an outage', async () => {
  replies = [() => undefined];
  await expect(get({ patience: 0, tryFor: 100 })).rejects.toThrow('it does not respond in time.');
});

it.each([
  ['a refusal', reply(409, '{"code":"conflict","message":"Taken."}'), RefusedError, 'Taken.'],
  ['a refusal of a proxy', reply(413, '<html>'), RefusedError, 'The server responds with 413.'],
  [
    'a redirect',
    reply(301, '', { location: 'https://b/' }),
    RefusedError,
    'The server redirects to https://b/',
  ],
  [
    'a job that was canceled',
    reply(410, '{}', { 'x-job-status': 'canceled' }),
    JobGoneError,
    'The job was canceled.',
  ],
  ['a job that is lost', reply(410, '{}', { 'x-job-status': 'lost' }), JobGoneError, 'another runner'],
  ['another content', reply(200, '<html>'), NotUnderstoodError, 'is not JSON'],
])('does not repeat %s', async (_name, answered, type, message) => {
  replies = [answered];
  const error = await get().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(type);
  expect((error as Error).message).toContain(message);
  expect(received).toHaveLength(1);
});

it('ends between two tries, and within one, with the reason of its signal', async () => {
  const reason = new Error('enough');
  for (const first of [reply(503, ''), () => undefined]) {
    replies = [first];
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 100);
    await expect(get({ signal: controller.signal })).rejects.toBe(reason);
  }
});
