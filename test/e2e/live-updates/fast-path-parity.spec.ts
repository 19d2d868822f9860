import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createTenant } from '../../builders/identities.js';
import { publishManifest, uploadBundle } from '../../builders/publication.js';
import { rawGet, type RawResponse } from '../../support/devices/raw-get.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { eventually } from '../../support/eventually.js';
import { OwnSite } from '../../support/servers/own-site.js';

/** The end of a path that the fast path takes. */
const FAST = 'latest';
/** Sends a check past the fast path: to Express, the case of a path does not matter. */
const EXPRESS = 'Latest';

/** A device that has rolled the bundle of `stored` back too often. */
const ROLLED_BACK = randomUUID();

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
  app = await createApp(await createTenant(site));
  for (const name of ['Beta ü', 'stored', 'zipped']) await createChannel(app, { name });
  const { buildId } = await registerBundle(app, { customProperties: { text: 'Zażółć "gęślą" jaźń' } });
  const constrained = await registerBundle(app, { minAndroidAppVersionCode: '5', channelName: 'Beta ü' });
  const [half, paused, expired] = [
    await createChannel(app, { name: 'half' }),
    await createChannel(app, { name: 'paused' }),
    await createChannel(app, { name: 'expired', expiresAt: new Date(Date.now() + 1000).toISOString() }),
  ];
  for (const { id } of [half, paused, expired])
    await createDeployment(app, { appBuildId: buildId, appChannelId: id });
  await createDeployment(app, {
    appBuildId: constrained.buildId,
    appChannelId: half.id,
    rolloutPercentage: 0.5,
  });
  await app.api.post(`${app.path}/channels/${paused.id}/pause`);
  const { id } = await uploadBundle(app, { channelName: 'stored' });
  for (let n = 0; n < 2; n++) await rollBack(app, ROLLED_BACK, id, { channelName: 'stored' });
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}.js`, `${n}`]));
  await publishManifest(app, { 'index.html': '', ...many }, { values: { channelName: 'zipped' } });
  await eventually(async () => {
    const zipped = await rawGet(site.origin, target(app.id, FAST, '?platform=0&channelName=zipped'));
    expect(JSON.parse(zipped.body.toString())).toMatchObject({ artifactType: 'zip' });
  });
});
afterAll(() => site.dispose());

const parameter = (name: string, ...values: string[]) =>
  fc
    .option(fc.constantFrom(...values), { nil: null })
    .map((value) => (value === null ? null : `${name}=${value}`));

/** Any query, from the usual ones to abuse. */
const anyQuery = fc
  .tuple(
    fc.constantFrom('platform=0', 'platform=0', 'platform=0', 'platform=1', 'platform=2', 'platform=7', ''),
    parameter(
      'deviceId',
      randomUUID(),
      randomUUID(),
      ROLLED_BACK,
      'a%20b',
      'a+b',
      '',
      '%00',
      '%ff',
      'x'.repeat(256),
    ),
    parameter(
      'channelName',
      'default',
      'half',
      'HALF',
      'stored',
      'zipped',
      'zipped',
      'paused',
      'expired',
      'Beta+%C3%BC',
      'Beta%20%C3%BC',
      'none',
      '+',
      'default%00',
      `default${'+'.repeat(300)}`,
    ),
    parameter(
      'appVersionCode',
      '1',
      '5',
      '10',
      '%D9%A4',
      '%D9%A2%D9%A1',
      '1..2',
      '-1',
      '9'.repeat(200),
      '9'.repeat(300),
      '9%00',
    ),
    parameter('pluginVersion', '6.4.0', '6.8.0', '7.2.2', '8.0.0', 'x', `6.4.0-${'x'.repeat(300)}`),
    parameter('runtime', 'cordova', 'electron', 'cordova%00', 'x'.repeat(300)),
    parameter('bundleId', randomUUID(), 'unknown', '%', 'x'.repeat(300)),
    parameter('customId', 'Ada', 'ü', '%F0%9F%98%80', '%00', 'x'.repeat(300)),
    fc.constantFrom(
      null,
      null,
      null,
      'foo=bar',
      'access_token=x',
      'access%5Ftoken=x',
      'a%5B%5D=1',
      '&&',
      'platform',
      '#x',
    ),
  )
  .map((parts) => parts.filter((part) => part !== null && part !== ''))
  .chain((parts) => fc.shuffledSubarray(parts, { minLength: parts.length }))
  .map((parts) => `?${parts.join('&')}`);

const anyApp = () =>
  fc.constantFrom(app.id, app.id, app.id, app.id, app.id.toUpperCase(), randomUUID(), 'unknown', '%41', '');

const anyHeaders = () =>
  fc.constantFrom<Record<string, string>[]>(
    {},
    {},
    {},
    { 'X-Capawesome-Device-Id': randomUUID() },
    { 'X-Capawesome-Device-Id': 'x'.repeat(300) },
    { Host: 'updates.example.com' },
    { 'X-Forwarded-Host': 'evil.example.com', 'X-Forwarded-Proto': 'https' },
    { Authorization: `Bearer ${app.api.token}` },
    { Authorization: 'Bearer wrong' },
    { 'If-None-Match': '*', 'Accept-Encoding': 'br' },
    { 'Content-Length': '0' },
  );

const target = (appId: string, end: string, query: string) => `/v1/apps/${appId}/bundles/${end}${query}`;

function comparable({ status, headers, body }: RawResponse): object {
  const { date: _date, ratelimit: _remaining, ...others } = headers;
  return { status, headers: others, body: body.toString() };
}

/** Whether Express has handled the request: only then it is logged. */
const logged = (requestId: string): boolean => site.server.log.some((line) => line.includes(requestId));

it('gives the same responses on the fast path and in Express', async () => {
  let fast = 0;
  await fc.assert(
    fc.asyncProperty(anyQuery, anyApp(), anyHeaders(), async (query, appId, headers) => {
      const id = randomUUID();
      const sent = { ...headers, 'X-Request-Id': id };
      const answer = await rawGet(site.origin, target(appId, FAST, query), sent);
      if (!logged(id)) fast++;
      const behind = await rawGet(site.origin, target(appId, EXPRESS, query), sent);
      expect(comparable(answer)).toEqual(comparable(behind));
    }),
    { numRuns: 1000 },
  );
  // Otherwise this would compare Express with itself.
  expect(fast).toBeGreaterThan(200);
});

it('compares the digits of all scripts by their value on both', async () => {
  for (const end of [FAST, EXPRESS]) {
    const statusOf = async (version: string): Promise<number> => {
      const query = `?platform=0&channelName=Beta+%C3%BC&appVersionCode=${encodeURIComponent(version)}`;
      return (await rawGet(site.origin, target(app.id, end, query))).status;
    };
    expect([await statusOf('٢١'), await statusOf('٤'), await statusOf('𝟝')]).toEqual([200, 404, 200]);
  }
});

it.each([
  [
    'customId=a%2Bb+c&channelName=beta%20%C3%BC&osVersion=17',
    { customId: 'a+b+c', osVersion: '17', platform: 1 },
  ],
  [
    'appVersionCode=%D9%A2%D9%A1&appVersionName=%DB%B1.%DB%B4&osVersion=%D9%A1%D9%A4',
    { appVersionCode: '٢١', appVersionName: '۱.۴', osVersion: '١٤' },
  ],
  [
    `customId=${'x'.repeat(300)}&channelName=${'x'.repeat(300)}&osVersion=${'x'.repeat(300)}`,
    { customId: null, osVersion: 'x'.repeat(255), appChannelId: null },
  ],
])('records the same of a device that sends %s', async (values, recorded) => {
  const [here, there] = [randomUUID(), randomUUID()];
  const query = (id: string) => `?platform=1&deviceId=${id}&${values}`;
  await rawGet(site.origin, target(app.id, FAST, query(here)));
  await rawGet(site.origin, target(app.id, EXPRESS, query(there)));
  const of = async (id: string): Promise<object> => {
    const { body } = await app.api.get(`${app.path}/devices/${id}`);
    const {
      id: _id,
      lastSeenAt: _at,
      createdAt: _created,
      updatedAt: _updated,
      offeredAt: _offered,
      ...rest
    } = body;
    return rest;
  };
  expect(await of(here)).toEqual(await of(there));
  expect(await of(here)).toMatchObject(recorded);
});

/** Everything that comes back for these bytes, until the server closes. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(site.origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

const HOST = 'Host: localhost\r\n';

it('answers pipelined requests in their order, on either path', async () => {
  const requests = [FAST, EXPRESS, FAST, EXPRESS].map(
    (end, n) =>
      `GET ${target(app.id, end, '?platform=0')} HTTP/1.1\r\n${HOST}X-Request-Id: r${n}\r\n` +
      `${n === 3 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  const answers = await exchange(requests.join(''));
  expect([...answers.matchAll(/^x-request-id: (r\d)/gim)].map(([, id]) => id)).toEqual([
    'r0',
    'r1',
    'r2',
    'r3',
  ]);
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(4);
});

it('serves HTTP/1.0, half-closed connections, HEAD and OPTIONS', async () => {
  const path = target(app.id, FAST, '?platform=0&channelName=stored');
  const old = await exchange(`GET ${path} HTTP/1.0\r\n\r\n`);
  expect(old).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(old).toContain(`"url":"http://127.0.0.1:${new URL(site.origin).port}/v1/apps/`);
  const { hostname, port } = new URL(site.origin);
  const half = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  half.end(`GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  expect(await text(half)).toMatch(/^HTTP\/1\.1 200 OK/);
  const head = await exchange(`HEAD ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(head.endsWith('\r\n\r\n')).toBe(true);
  expect(await exchange(`OPTIONS ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 (405|404|204|200) /,
  );
});

it.each([
  ['a query of 100 kB', `?platform=0&x=${'x'.repeat(100_000)}`, ''],
  ['10,000 parameters', `?platform=0${'&a=1'.repeat(10_000)}`, ''],
  ['a header of 100 kB', '?platform=0', `X-Bomb: ${'x'.repeat(100_000)}\r\n`],
  ['10,000 headers', '?platform=0', 'X-Bomb: 1\r\n'.repeat(10_000)],
])('refuses %s and goes on', async (_what, query, headers) => {
  const bytes = `GET ${target(app.id, FAST, query)} HTTP/1.1\r\n${HOST}${headers}Connection: close\r\n\r\n`;
  expect(await exchange(bytes).catch(() => 'HTTP/1.1 431 ')).toMatch(/^HTTP\/1\.1 431 /);
  expect((await rawGet(site.origin, target(app.id, FAST, '?platform=0'))).status).toBe(200);
});

it('answers a body, an expectation and a foreign id as before', async () => {
  const path = target(app.id, FAST, '?platform=0');
  for (const headers of [
    'Content-Length: 2\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
  ]) {
    const body = headers.startsWith('T') ? '0\r\n\r\n' : headers.startsWith('C') ? 'ab' : '';
    const answer = await exchange(
      `GET ${path} HTTP/1.1\r\n${HOST}${headers}Connection: close\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/HTTP\/1\.1 200 OK/);
  }
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\n${HOST}`);
  socket.destroy();
  await once(socket, 'close');
  await eventually(() => site.expectAlive());
});
