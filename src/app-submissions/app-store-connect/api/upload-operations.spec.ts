import { createHash } from 'node:crypto';
import {
  type Call,
  closeStores,
  configFor,
  json,
  refusalFrom,
  serve,
  sessionFor,
} from '../../../../test/support/stores/store-servers.js';
import { JsonValue } from '../../../common/json-value.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { NewSubmissionRequest } from '../../submission-requests/submission-requests.service.js';
import type { StoreSession } from '../../calls/store-session.js';
import {
  chunksOf,
  operationsFromText,
  operationsToText,
  sendOperation,
  toOperations,
  type UploadOperation,
} from './upload-operations.js';

afterEach(closeStores);

/** A session that may call servers of the test. */
function session(records?: NewSubmissionRequest[]): StoreSession {
  const config = configFor('http://127.0.0.1:1');
  config.outbound.allow = 'store=127.0.0.1';
  return sessionFor(config, records);
}

const operation = (url: string, more: Partial<UploadOperation> = {}): UploadOperation => ({
  method: 'PUT',
  url,
  offset: 0,
  length: 3,
  partNumber: 1,
  requestHeaders: [],
  expiration: null,
  ...more,
});
const abc = Buffer.from('abc');

it('sends exactly the method, the address, the headers and the bytes of an operation', async () => {
  const server = await serve(json({}));
  const url = `${server.url}/a%2Fb//c?X-Amz-Signature=s3cret&x=%20+`;
  const requestHeaders = [
    { name: 'Content-Type', value: 'application/octet-stream' },
    { name: 'Authorization', value: 'AWS4-HMAC-SHA256 own' },
  ];
  const records: NewSubmissionRequest[] = [];
  await sendOperation(session(records), operation(url, { method: 'POST', requestHeaders }), abc);
  const [call] = server.calls as [Call];
  expect(call).toMatchObject({
    method: 'POST',
    url: '/a%2Fb//c?X-Amz-Signature=s3cret&x=%20+',
    headers: {
      'content-type': 'application/octet-stream',
      authorization: 'AWS4-HMAC-SHA256 own',
      'content-length': '3',
    },
  });
  expect(call.headers['transfer-encoding']).toBeUndefined();
  expect(call.body).toEqual(abc);
  expect(records[0]).toMatchObject({ url: `${server.url}/a%2Fb//c`, requestBody: null, status: 200 });
  expect(JSON.stringify(records)).not.toMatch(/s3cret|AWS4/);
});

it('sends a part that is larger than a chunk in chunks', async () => {
  const server = await serve(json({}));
  const length = 20 * 1024 * 1024 + 5;
  const file = Buffer.alloc(length + 10, 'abcdefg');
  const asked: number[] = [];
  const read = (start: number, size: number): Promise<Buffer> => {
    asked.push(size);
    return Promise.resolve(file.subarray(start, start + size));
  };
  const part = operation(server.url, { offset: 7, length });
  await sendOperation(session(), part, chunksOf(read, part));
  expect(Math.max(...asked)).toBe(8 * 1024 * 1024);
  const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  expect(digest(server.calls[0]?.body ?? abc)).toBe(digest(file.subarray(7, 7 + length)));
  expect(server.calls[0]?.headers['content-length']).toBe(String(length));
});

it('fails with the error of the storage, and with one when bytes are missing', async () => {
  const server = await serve(json({}));
  const part = operation(server.url);
  const broken = chunksOf(() => Promise.reject(new Error('The storage is away.')), part);
  await expect(sendOperation(session(), part, broken)).rejects.toThrow('The storage is away.');
  const short = chunksOf(() => Promise.resolve(Buffer.from('ab')), part);
  await expect(sendOperation(session(), part, short)).rejects.toThrow('A part of 3 bytes has 2.');
  await expect(sendOperation(session(), part, Buffer.from('abcd'))).rejects.toThrow('has 4');
  expect(server.calls).toEqual([]);
});

it('begins again with other addresses when these have expired, without a call', async () => {
  const server = await serve(json({}));
  const part = operation(server.url, { expiration: new Date(Date.now() - 1) });
  const { refusal } = await refusalFrom(sendOperation(session(), part, abc));
  expect(refusal).toMatchObject({ code: 'upload_lost', retry: 'again', does: 'new-upload' });
  expect(server.calls).toEqual([]);
});

it.each([
  [
    403,
    '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
    'upload_lost',
    'new-upload',
  ],
  [400, '<Error><Code>ExpiredToken</Code><Message>x</Message></Error>', 'upload_lost', 'new-upload'],
  [401, '', 'upload_lost', 'new-upload'],
  [404, '<html>gone</html>', 'upload_lost', 'new-upload'],
  [410, '', 'upload_lost', 'new-upload'],
  [400, '<Error><Code>BadDigest</Code></Error>', 'upload_part_refused', 'new-upload'],
  [307, '', 'upload_part_refused', 'new-upload'],
  [503, '<Error><Code>SlowDown</Code></Error>', 'store_failed', undefined],
  [429, '', 'store_failed', undefined],
])('after the status %i %s: %s', async (status, text, code, does) => {
  const server = await serve((_, response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/xml', 'Retry-After': '30', Location: '/x' })
      .end(text),
  );
  const { refusal } = await refusalFrom(sendOperation(session(), operation(server.url), abc));
  expect(refusal).toMatchObject({ code, retry: 'again', afterSeconds: 30 });
  expect(refusal.does).toBe(does);
  expect(server.calls).toHaveLength(1);
  expect(refusal.sentence.length).toBeLessThanOrEqual(300);
});

it('repeats nothing that the upload server says about the signature', async () => {
  const text = `<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><Message>No match.</Message>
    <AWSAccessKeyId>AKIAs3cret</AWSAccessKeyId><StringToSign>s3cret</StringToSign>
    <SignatureProvided>s3cret</SignatureProvided><CanonicalRequest>PUT /x?X-Amz-Security-Token=s3cret</CanonicalRequest></Error>`;
  const server = await serve((_, response) =>
    response.writeHead(403, { 'Content-Type': 'application/xml' }).end(text),
  );
  const records: NewSubmissionRequest[] = [];
  const refusal = await refusalFrom(sendOperation(session(records), operation(server.url), abc));
  expect(refusal.storeMessage).toBe('SignatureDoesNotMatch: No match.');
  expect(records[0]?.responseBody).toContain('SignatureDoesNotMatch');
  expect(JSON.stringify(records)).not.toContain('s3cret');
});

it.each([
  'https://169.254.169.254/x',
  'https://10.0.0.1/x',
  'https://[::1]/x',
  'https://localhost/x',
  'http://1.1.1.1/x',
])('does not call %s', async (url) => {
  await expect(
    sendOperation(sessionFor(configFor('http://127.0.0.1:1')), operation(url), abc),
  ).rejects.toMatchObject({
    name: 'StoreUnreachableError',
    kind: url.startsWith('https') ? 'address' : 'url',
  });
});

it('keeps operations as a text', () => {
  const operations = [
    operation('https://example.com/', { expiration: new Date('2026-01-02T03:04:05Z') }),
    operation('https://example.com/2', { requestHeaders: [{ name: 'a', value: 'b' }] }),
  ];
  expect(operationsFromText(operationsToText(operations))).toEqual(operations);
});

describe('the operations of an answer', () => {
  const part = (offset: number, length: number, more: object = {}): object => ({
    method: 'PUT',
    url: 'https://upload.example.com/part?signature=1',
    offset,
    length,
    partNumber: 1,
    requestHeaders: [{ name: 'Content-Type', value: 'application/octet-stream' }],
    expiration: '2026-11-24T15:00:00Z',
    ...more,
  });
  const read = (parts: unknown, size: number | null = 10) =>
    toOperations(new JsonValue(parts), size, (url) => url.protocol === 'https:');

  function codeOf(parts: unknown, size?: number | null): string {
    try {
      read(parts, size);
    } catch (error) {
      if (error instanceof StoreRefusal) return error.refusal.code;
    }
    return 'none';
  }

  it('reads operations in the order of the file', () => {
    const operations = read([part(4, 6, { partNumber: 2, method: 'POST' }), part(0, 4)]);
    expect(operations).toEqual([
      {
        method: 'PUT',
        url: 'https://upload.example.com/part?signature=1',
        offset: 0,
        length: 4,
        partNumber: 1,
        requestHeaders: [{ name: 'Content-Type', value: 'application/octet-stream' }],
        expiration: new Date('2026-11-24T15:00:00Z'),
      },
      expect.objectContaining({ offset: 4, length: 6, partNumber: 2, method: 'POST' }),
    ]);
  });

  it('takes what Apple leaves out', () => {
    expect(read(undefined)).toEqual([]);
    expect(read(null)).toEqual([]);
    expect(read([])).toEqual([]);
    const bare = part(0, 10, { partNumber: undefined, requestHeaders: null, expiration: 'soon' });
    expect(read([bare])).toMatchObject([{ partNumber: 1, requestHeaders: [], expiration: null }]);
    expect(read([part(0, 7)], null)).toHaveLength(1);
    // The length is sent anyway.
    const named = part(0, 10, { requestHeaders: [{ name: 'content-length', value: '10' }] });
    expect(read([named])).toMatchObject([{ requestHeaders: [] }]);
  });

  it.each([
    ['a gap', [part(0, 4), part(5, 5)]],
    ['an overlap', [part(0, 6), part(4, 6)]],
    ['a beginning in the middle', [part(1, 9)]],
    ['too few bytes', [part(0, 9)]],
    ['too many bytes', [part(0, 11)]],
    ['a part twice', [part(0, 5), part(0, 5)]],
    ['an empty part', [part(0, 0), part(0, 10)]],
    ['a negative offset', [part(-1, 11)]],
    ['a broken length', [part(0, 10.5)]],
    ['a length beyond all numbers', [part(0, 1e300)]],
    ['another method', [part(0, 10, { method: 'DELETE' })]],
    ['no method', [part(0, 10, { method: null })]],
    ['no address', [part(0, 10, { url: undefined })]],
    ['a list for an address', [part(0, 10, { url: ['https://example.com'] })]],
    ['a long address', [part(0, 10, { url: `https://example.com/${'x'.repeat(9000)}` })]],
    ['no list', { offset: 0 }],
    ['a text', 'operations'],
    ['too many', Array.from({ length: 10_001 }, (_, index) => part(index, 1))],
  ])('refuses %s', (_, parts) => {
    expect(codeOf(parts, Array.isArray(parts) && parts.length > 10_000 ? parts.length : 10)).toBe(
      'store_answer_unusable',
    );
  });

  it.each(['http://upload.example.com/', 'file:///etc/passwd', 'ftp://example.com/', 'data:,x'])(
    'does not take %s for an address',
    (url) => expect(codeOf([part(0, 10, { url })])).toBe('upload_address_refused'),
  );

  it.each([
    ['a line break', 'X-A', 'a\r\nHost: b'],
    ['a line feed', 'X-A', 'a\nb'],
    ['a zero byte', 'X-A', 'a\0'],
    ['letters that no header holds', 'X-A', 'snow ☃'],
    ['a name with a colon', 'X-A:b', 'c'],
    ['a name with a line break', 'X-A\r\nb', 'c'],
    ['no name', '', 'c'],
    ['a host', 'Host', 'internal'],
    ['a transfer encoding', 'Transfer-Encoding', 'chunked'],
    ['an upgrade', 'upgrade', 'websocket'],
    ['a header for the proxy', 'Proxy-Authorization', 'Basic x'],
    ['another length', 'Content-Length', '11'],
    ['a long value', 'X-A', 'x'.repeat(5000)],
  ])('refuses headers with %s', (_, name, value) => {
    expect(codeOf([part(0, 10, { requestHeaders: [{ name, value }] })])).toBe('store_answer_unusable');
  });

  it('refuses a header twice, too many headers, and what is no list of headers', () => {
    const twice = [
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
    ];
    const many = Array.from({ length: 51 }, (_, index) => ({ name: `X-${index}`, value: '1' }));
    for (const requestHeaders of [twice, many, 'X-A: 1', { name: 'X-A', value: '1' }]) {
      expect(codeOf([part(0, 10, { requestHeaders })])).toBe('store_answer_unusable');
    }
  });
});
