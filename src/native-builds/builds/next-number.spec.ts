import type { UsedBuildNumbers } from '../../common/build-numbers.js';
import { nextNumber } from './build-numbers.worker.js';

const used = (inStore: number | null, submitted: number | null = null): UsedBuildNumbers => ({
  packageName: 'com.example',
  store: 'Google Play',
  inStore,
  submitted,
});

describe('nextNumber', () => {
  it.each<[UsedBuildNumbers, number | null, number, string]>([
    [used(42), null, 43, 'Google Play has 42'],
    [used(42, 42), 42, 43, 'Google Play has 42'],
    [used(42, 50), 49, 51, 'a submission of the app had 50'],
    [used(42, 50), 60, 61, 'another build of the app has 60'],
    [used(null), null, 1, 'Google Play has no build of com.example'],
    [used(2_099_999_999), null, 2_100_000_000, 'Google Play has 2099999999'],
  ])('after %j and %j is %j', (known, reserved, number, why) => {
    expect(nextNumber('android', known, reserved)).toEqual({
      number,
      note: `The build number is ${number}: ${why}.`,
    });
  });

  it('does not exceed what the store and JSON can have', () => {
    const failure = expect.stringMatching(/Set another buildNumber/) as string;
    expect(nextNumber('android', used(2_100_000_000), null)).toEqual({ failure });
    expect(nextNumber('android', used(1), 2_100_000_000)).toEqual({ failure });
    expect(nextNumber('ios', used(202_611_261_305), null)).toMatchObject({ number: 202_611_261_306 });
    expect(nextNumber('ios', used(20_261_126_130_512_344), null)).toEqual({ failure });
  });
});
