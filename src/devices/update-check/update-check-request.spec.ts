import fc from 'fast-check';
import { rawQueryValue, readingsOf } from '../../common/http/raw-query.js';
import { parseUpdateCheck } from './update-check-request.js';

const names = [
  'platform',
  'deviceId',
  'channelName',
  'osVersion',
  'customId',
  'bundleId',
  'x',
  'deviceid',
  '',
];
const texts = ['', '0', '1', '2', '9', 'a', 'a+b', 'a%20b', '%2B', '=', 'a=b', '%C3%BC', 'ü', '#', '?', ';'];
const pair = fc.oneof(
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...texts))
    .map(([name, value]) => `${name}=${encodeURI(value)}`),
  fc.constantFrom(...names, '=', '==', '%'),
);
const url = fc.array(pair, { maxLength: 12 }).map((pairs) => `/v1/apps/a/bundles/latest?${pairs.join('&')}`);

describe('parseUpdateCheck', () => {
  it('reads any query as a slow parser does', () => {
    fc.assert(
      fc.property(url, (target) => {
        const slow = (name: string): string[] => {
          const raw = rawQueryValue(target, name);
          return raw === null ? [] : readingsOf(raw);
        };
        const platform = slow('platform')[0];
        if (!['0', '1', '2'].includes(platform ?? '')) {
          expect(() => parseUpdateCheck(target)).toThrow('platform');
          return;
        }
        const of = (name: string): string | null =>
          (platform === '1' ? slow(name).at(-1) : slow(name)[0]) ?? null;
        expect(parseUpdateCheck(target)).toMatchObject({
          deviceId: of('deviceId'),
          customId: of('customId'),
          report: {
            platformNumber: Number(platform),
            channelNames: slow('channelName'),
            osVersion: of('osVersion') ?? '',
            bundleId: null,
            runtime: null,
          },
        });
      }),
      { numRuns: 2000 },
    );
  });

  it('takes the first of a parameter that comes more than once', () => {
    expect(parseUpdateCheck('/?platform=0&deviceId=a&deviceId=b&platform=1').deviceId).toBe('a');
    expect(parseUpdateCheck('/?platform=0&deviceId=&deviceId=b').deviceId).toBeNull();
  });

  it('is not slow for a query that is as long as a request may be', () => {
    for (const filler of ['&', 'a&', 'a=&', '=', 'platform&'])
      expect(
        parseUpdateCheck(`/?platform=2&${filler.repeat(16_000 / filler.length)}`).report.platformNumber,
      ).toBe(2);
  });
});
