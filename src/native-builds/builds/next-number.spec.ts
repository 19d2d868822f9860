import type { StoreNumbers, UsedBuildNumbers } from '../../common/build-numbers.js';
import { nextNumber } from './build-numbers.worker.js';
import type { TakenNumbers } from './builds.service.js';

const used = (
  inStore: number | null,
  submitted: number | null = null,
  more: Partial<StoreNumbers> = {},
): UsedBuildNumbers => ({
  packageName: 'com.example',
  store: 'Google Play',
  formFactor: 'phone',
  inStore: inStore === null ? null : { number: inStore, shown: `${inStore} on the track beta` },
  submitted,
  other: null,
  used: [],
  ...more,
});
const taken = (highest: number | null, ...ofOthers: number[]): TakenNumbers => ({ highest, ofOthers });
const none = taken(null);

describe('nextNumber', () => {
  it.each<[UsedBuildNumbers, TakenNumbers, number, string]>([
    [used(42), none, 43, 'Google Play has 42 on the track beta'],
    [used(42, 42), taken(42), 43, 'Google Play has 42 on the track beta'],
    [used(42, 50), taken(49), 51, 'a submission of the app had 50'],
    [used(42, 50), taken(60), 61, 'another build of the app has 60'],
    [used(null), none, 1, 'Google Play has no build of com.example'],
    [used(2_099_999_999), none, 2_100_000_000, 'Google Play has 2099999999 on the track beta'],
    [
      used(42, null, { used: [42, 43] }),
      taken(40, 44, 46),
      45,
      'Google Play has 42 on the track beta, and 43 is used already',
    ],
  ])('after %j and %j is %j', (known, reserved, number, why) => {
    expect(nextNumber('android', known, reserved)).toEqual({
      number,
      note: `The build number is ${number}: ${why}.`,
    });
  });

  it('begins above an offset', () => {
    const why = 'buildNumberOffset of the configuration is 1000';
    expect(nextNumber('android', used(42), none, 1000)).toEqual({
      number: 1001,
      note: `The build number is 1001: ${why}.`,
    });
    expect(nextNumber('android', used(1042), none, 1000)).toMatchObject({ number: 1043 });
    expect(nextNumber('android', used(42, null, { used: [1001] }), none, 1000)).toEqual({
      number: 1002,
      note: `The build number is 1002: ${why}, and 1001 is used already.`,
    });
  });

  it('says which higher number of other devices does not count', () => {
    const other = { number: 30_000_021, shown: '30000021 on the track wear:production' };
    expect(nextNumber('android', used(42, null, { other }), none)).toEqual({
      number: 43,
      note: 'The build number is 43: Google Play has 42 on the track beta. The build is for phones and tablets, so 30000021 on the track wear:production does not count.',
    });
    const low = { number: 7, shown: '7 on the track tv:beta' };
    expect(nextNumber('android', used(42, null, { other: low }), none)).toMatchObject({
      note: 'The build number is 43: Google Play has 42 on the track beta.',
    });
  });

  it('does not exceed what the store and JSON can have', () => {
    const failure = expect.stringMatching(/Set another buildNumber/) as string;
    expect(nextNumber('android', used(2_100_000_000), none)).toEqual({ failure });
    expect(nextNumber('android', used(1), taken(2_100_000_000))).toEqual({ failure });
    expect(nextNumber('ios', used(202_611_261_305), none)).toMatchObject({ number: 202_611_261_306 });
    expect(nextNumber('ios', used(20_261_126_130_512_344), none)).toEqual({ failure });
  });
});
