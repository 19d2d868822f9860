import { JsonValue } from '../../../../common/json-value.js';
import { StoreRefusal } from '../../../calls/refusals/refusal.js';
import { toOperations } from './to-operations.js';

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
