import fc from 'fast-check';
import { ParsedQueries } from './parsed-queries.js';
import { parseUpdateCheck, type UpdateCheckRequest } from './update-check-request.js';

const names = ['platform', 'deviceId', 'channelName', 'osVersion', 'customId', 'bundleId', 'xdeviceId', 'x'];
const texts = ['', '0', '1', '2', 'a', 'b', 'a+b', 'a%20b', 'a=b', '%C3%BC', 'ü', '#', '?', 'x'.repeat(256)];
const pair = fc.oneof(
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...texts))
    .map(([name, value]) => `${name}=${encodeURI(value)}`),
  fc.constantFrom(...names, '='),
);
const query = fc.array(pair, { maxLength: 12 }).map((pairs) => pairs.join('&'));

const parsed = (query: string): UpdateCheckRequest | null => {
  try {
    return parseUpdateCheck(`?${query}`, 'of the header');
  } catch {
    return null;
  }
};

describe('ParsedQueries', () => {
  it('reads each query as the parser does, whatever it has read before', () => {
    fc.assert(
      fc.property(fc.array(query, { maxLength: 30 }), (some) => {
        const queries = new ParsedQueries();
        for (const query of [...some, ...some.map((query) => query.replaceAll('=a', '=b')), ...some]) {
          expect(queries.read(query, 'of the header')).toEqual(parsed(query));
        }
      }),
    );
  });

  it('distinguishes queries by everything but the ids', () => {
    const queries = new ParsedQueries();
    expect(queries.read('platform=0&deviceId=a&osVersion=1', undefined)?.report.osVersion).toBe('1');
    expect(queries.read('platform=0&deviceId=b&osVersion=2', undefined)?.report.osVersion).toBe('2');
    expect(queries.read('platform=0&deviceId=b&osVersion=1&customId=c', undefined)?.customId).toBe('c');
    expect(queries.read('deviceId=b&platform=0&osVersion=1', undefined)).toMatchObject({
      deviceId: 'b',
      customId: null,
      report: { osVersion: '1' },
    });
  });

  it('shares what devices with custom ids report, also when these are encoded', () => {
    const queries = new ParsedQueries();
    const read = (customId: string) => queries.read(`customId=${customId}&deviceId=a&platform=1`, undefined);
    const [plain, encoded, long] = ['b', 'ada%40example.com+1', 'x'.repeat(256)].map(read);
    expect([plain, encoded, long].map((request) => request?.customId)).toEqual([
      'b',
      'ada@example.com+1',
      null,
    ]);
    expect(encoded?.report).toBe(plain?.report);
    expect(long?.report).toBe(plain?.report);
  });

  it.each([
    'deviceId=a',
    'platform=0&deviceId=a&access_token=t',
    'platform=0&deviceId=a&a%63cess_token=t',
    'platform=0&deviceId=a&osVersion=%00',
    'platform=0&deviceId=a&osVersion=%ff',
    'platform=0&deviceId=%00',
    'platform=0&deviceId=a&customId=%00',
    'platform=0&deviceId=a&customId=%ff',
  ])('leaves %s to the route', (query) => {
    const queries = new ParsedQueries();
    queries.read('platform=0&deviceId=a&customId=b', undefined);
    expect(queries.read(query, undefined)).toBeNull();
    expect(queries.read(query, undefined)).toBeNull();
  });
});
