import { newLimits } from '../../../test/support/limits.js';
import { Logger } from '@nestjs/common';
import {
  configFor,
  closeStores,
  json,
  serve,
  sessionFor,
} from '../../../test/support/stores/store-servers.js';
import { HostResolver } from '../../common/http/outbound/host-resolver.js';
import { Outbound } from '../../common/http/outbound/outbound.js';
import type {
  NewSubmissionRequest,
  SubmissionRequestsService,
} from '../submission-requests/submission-requests.service.js';
import { StoreCalls } from './store-calls.service.js';
import type { StoreCallRequest } from './store-session.js';

beforeAll(() => Logger.overrideLogger(false));
afterEach(closeStores);

/** What is recorded of a call. */
async function recordOf(
  answer: Parameters<typeof serve>[0],
  request: Partial<StoreCallRequest> = {},
): Promise<NewSubmissionRequest> {
  const store = await serve(answer);
  const records: NewSubmissionRequest[] = [];
  const session = sessionFor(configFor(store.url), records);
  await session.call({ method: 'GET', ...request, url: `${store.url}${String(request.url ?? '/')}` });
  expect(records).toHaveLength(1);
  return records[0] as NewSubmissionRequest;
}

describe('calls of stores', () => {
  it('are recorded with address, headers, bodies, status and duration', async () => {
    const record = await recordOf(json({ id: '7' }, 201), {
      method: 'POST',
      url: '/edits?fields=id',
      headers: { 'Content-Type': 'application/json', 'X-Other': 'hidden', authorization: 'Bearer hidden' },
      body: '{"a":1}',
      bearer: 'hidden',
    });
    expect(record).toMatchObject({
      method: 'POST',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/edits\?fields=id$/),
      requestHeaders: { 'content-type': 'application/json' },
      requestBody: '{"a":1}',
      status: 201,
      responseBody: '{"id":"7"}',
      error: null,
    });
    expect(record.responseHeaders).toMatchObject({ 'content-type': 'application/json' });
    expect(record.milliseconds).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(record)).not.toContain('hidden');
  });

  it('are recorded without what gives access, wherever it is', async () => {
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl';
    const pem = '-----BEGIN PRIVATE KEY-----\\nMIIEsecret\\n-----END PRIVATE KEY-----\\n';
    const form = `grant_type=x&assertion=${jwt}&client_secret=s3cret`;
    const answer = `{"access_token" : "s3cret\\"s3cret", "text": "${jwt} ya29.s3cret Bearer s3cret", "private_key": "${pem}"}`;
    const record = await recordOf(
      (_, response) => {
        response.writeHead(200, {
          'Content-Type': 'application/json',
          Location: 'https://user:s3cret@upload.example.com/session?upload_id=s3cret#s3cret',
          'Set-Cookie': 'id=s3cret',
        });
        response.end(answer);
      },
      { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form },
    );
    const text = JSON.stringify(record);
    for (const secret of ['s3cret', 'c2lnbmF0dXJl', 'MIIE']) expect(text).not.toContain(secret);
    expect(record.requestBody).toBe('grant_type=x&assertion=***&client_secret=***');
    expect(record.responseHeaders['location']).toBe('https://upload.example.com/session');
    expect(JSON.parse(record.responseBody ?? '')).toMatchObject({ access_token: '***', private_key: '***' });
  });

  it('are recorded without the addresses and headers of the parts of an upload', async () => {
    const operation = {
      url: 'https://upload.example.com/s3cret/part?X-Amz-Signature=s3cret&x="s3cret',
      requestHeaders: [{ name: 'Authorization', value: 's3cret]s3cret"s3cret' }],
      length: 7,
    };
    const attributes = { fileName: 'App.ipa', uploadOperations: [operation, { ...operation, length: 8 }] };
    const record = await recordOf(json({ data: { attributes } }, 201));
    expect(record.responseBody).not.toContain('s3cret');
    const shown = { url: 'https://upload.example.com/***', requestHeaders: ['***'] };
    expect(JSON.parse(record.responseBody ?? '')).toEqual({
      data: {
        attributes: {
          fileName: 'App.ipa',
          uploadOperations: [
            { ...shown, length: 7 },
            { ...shown, length: 8 },
          ],
        },
      },
    });
    const escaped =
      '{"url" : "https:\\/\\/upload.example.com\\/s3cret\\u003fs3cret", "requestHeaders" : [{"value": "s3cret';
    const cut = await recordOf((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(escaped),
    );
    expect(cut.responseBody).toContain('upload.example.com');
    expect(cut.responseBody).not.toContain('s3cret');
  });

  it('are recorded without e-mail addresses', async () => {
    const said = 'robot-1@acme.iam.gserviceaccount.com and "Jane.Doe+x@example.co.uk", <a@b.de>; a@b, @name';
    const record = await recordOf(json({ error: { message: said } }, 403), {
      url: '/users?email=jane%40example.com',
    });
    expect(JSON.parse(record.responseBody ?? '')).toEqual({
      error: { message: '*** and "***", <***>; a@b, @name' },
    });
    expect(record.url).not.toContain('jane');
  });

  it('are recorded without the query of what gives access, and of other hosts', async () => {
    const record = await recordOf(json({}), { url: '/session?upload_id=1', isSecretAddress: true });
    expect(record.url).toMatch(/\/session$/);
    const other = await serve(json({}));
    const config = configFor('http://127.0.0.1:1');
    config.outbound.allow = 'store=127.0.0.1';
    const records: NewSubmissionRequest[] = [];
    await sessionFor(config, records).call({ method: 'PUT', url: `${other.url}/s?a=b`, bearer: 'hidden' });
    expect(records[0]?.url).toBe(`${other.url}/s`);
    expect(other.calls[0]?.headers.authorization).toBeUndefined();
  });

  it('are recorded with text bodies only, of 16 kB at most', async () => {
    const long = await recordOf(json({ text: 'ä'.repeat(20_000) }));
    const bytes = Buffer.byteLength(long.responseBody ?? '');
    expect(bytes).toBeGreaterThan(15_990);
    expect(bytes).toBeLessThanOrEqual(16_000);
    expect(long.responseBody).toMatch(/ä$/);
    const binary = await recordOf(
      (_, response) => response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end('abc'),
      { method: 'PUT', body: Buffer.from('{"text": "no"}') },
    );
    expect(binary).toMatchObject({ requestBody: null, responseBody: null });
    const odd = await recordOf((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('a\0b\ufffe'),
    );
    expect(odd.responseBody).toBe('a\ufffdb\ufffe');
  });

  it('are masked before they are cut, in a time that does not depend on what the store says', async () => {
    const hidden = `{"pad": "${'x'.repeat(15_900)}", "access_token": "${'s3cret'.repeat(50)}"}`;
    const record = await recordOf((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(hidden),
    );
    expect(record.responseBody).not.toContain('s3cret');
    const nasty = [
      'eyJ-',
      'a@',
      '"access_token" : "',
      '-----BEGIN ',
      'Bearer ',
      '%40a.',
      '\\"',
      '<',
      'ya29.',
    ];
    for (const part of nasty) {
      const text = part.repeat(Math.ceil(2_000_000 / part.length));
      await recordOf((_, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(text));
    }
  });

  it('are recorded when there is no answer', async () => {
    const silent = await serve(() => undefined);
    const records: NewSubmissionRequest[] = [];
    const call = sessionFor(configFor(silent.url), records).call({
      method: 'GET',
      url: `${silent.url}/x`,
      timeoutMs: 50,
    });
    await expect(call).rejects.toMatchObject({ name: 'StoreUnreachableError', kind: 'timeout' });
    expect(records[0]).toMatchObject({
      status: null,
      responseHeaders: {},
      responseBody: null,
      error: '127.0.0.1 did not respond completely in time.',
    });
  });

  it('end when an answer drips', async () => {
    const slow = await serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    const session = sessionFor(configFor(slow.url));
    await expect(session.call({ method: 'GET', url: slow.url, timeoutMs: 100 })).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  it('succeed although they cannot be recorded, and are not recorded for no submission', async () => {
    const store = await serve(json({ id: '7' }));
    const config = configFor(store.url);
    let asked = 0;
    const recorder = {
      record: () => {
        asked++;
        return Promise.reject(new Error('The database is gone.'));
      },
    } as unknown as SubmissionRequestsService;
    const calls = new StoreCalls(config, new Outbound(config, new HostResolver(newLimits())), recorder);
    for (const submissionId of ['s', null]) {
      const session = calls.of({ organizationId: 'o', submissionId });
      expect((await session.call({ method: 'GET', url: store.url })).text).toBe('{"id":"7"}');
    }
    expect(asked).toBe(1);
  });
});
