import fc from 'fast-check';
import { rawQueryValue, readingsOf } from '../../common/http/raw-query.js';
import { isVersion } from '../../common/compare-versions.js';
import { UNKNOWN_BUNDLE_ID } from '../channel-decision/decision.js';
import { isRecordable, parseUpdateCheck } from './update-check-request.js';

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
            bundleId: of('bundleId') === null ? null : UNKNOWN_BUNDLE_ID,
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

  describe('takes a value that cannot be recorded', () => {
    const long = '9'.repeat(300);
    const nul = '1%002';

    it('for no custom id', () => {
      for (const value of [long, nul]) {
        expect(parseUpdateCheck(`/?platform=0&customId=${value}`).customId).toBeNull();
      }
      expect(parseUpdateCheck(`/?platform=0&customId=${'9'.repeat(255)}`).customId).toHaveLength(255);
    });

    it('for the whole id of the device', () => {
      expect(parseUpdateCheck(`/?platform=0&deviceId=${long}`).deviceId).toBe(long);
      expect(parseUpdateCheck(`/?platform=0&deviceId=${nul}`).deviceId).toBe('1\u00002');
      expect(parseUpdateCheck('/?platform=0', long).deviceId).toBe(long);
      expect([long, '1\u00002', 'a', '9'.repeat(255)].map(isRecordable)).toEqual([false, false, true, true]);
    });

    it('for a text that is cut', () => {
      for (const name of ['appVersionName', 'osVersion', 'pluginVersion', 'runtime'] as const) {
        expect(parseUpdateCheck(`/?platform=0&${name}=${long}`).report[name]).toBe('9'.repeat(255));
        expect(parseUpdateCheck(`/?platform=0&${name}=${nul}`).report[name]).toBe('12');
      }
      const emoji = encodeURIComponent('x'.repeat(254) + '😀');
      expect(parseUpdateCheck(`/?platform=0&osVersion=${emoji}`).report.osVersion.isWellFormed()).toBe(true);
    });

    it('for a channel and a version that match nothing', () => {
      for (const value of [long, nul, '%00', `default${'+'.repeat(300)}`, `${'%20'.repeat(300)}default`]) {
        const { report } = parseUpdateCheck(`/?platform=0&channelName=${value}&appVersionCode=${value}`);
        for (const text of [...report.channelNames, report.appVersionCode]) {
          expect(isRecordable(text)).toBe(true);
          expect(isVersion(text, 'electron')).toBe(false);
          expect(text.trim().at(-1)).toBe('\u001a');
        }
      }
    });

    it('for a platform that is wrong', () => {
      for (const value of ['0%00', '0'.repeat(300)])
        expect(() => parseUpdateCheck(`/?platform=${value}`)).toThrow('platform');
    });
  });

  it('keeps the id of a bundle, and takes any other text for a bundle that the app does not have', () => {
    const id = '0190E6D4-3a5b-7c11-9d2e-5f60718293a4';
    const bundleIdOf = (text: string) => parseUpdateCheck(`/?platform=0&bundleId=${text}`).report.bundleId;
    expect(bundleIdOf(id)).toBe(id);
    expect(bundleIdOf('public')).toBeNull();
    expect(['my-bundle', `${id}0`, '%00'].map(bundleIdOf)).toEqual(Array(3).fill(UNKNOWN_BUNDLE_ID));
    expect(bundleIdOf('')).toBeNull();
  });

  it('is not slow for a query that is as long as a request may be', () => {
    for (const filler of ['&', 'a&', 'a=&', '=', 'platform&'])
      expect(
        parseUpdateCheck(`/?platform=2&${filler.repeat(16_000 / filler.length)}`).report.platformNumber,
      ).toBe(2);
  });
});
