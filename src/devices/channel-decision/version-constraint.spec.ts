import fc from 'fast-check';
import { readVersion } from '../../common/compare-versions.js';
import type { VersionConstraint } from '../releases/release-table.js';
import { readConstraint, satisfiesEq, satisfiesMax, satisfiesMin } from './version-constraint.js';

const constraint = (values: Partial<VersionConstraint>): VersionConstraint => ({
  min: null,
  max: null,
  eq: null,
  ...values,
});
const satisfies = {
  min: (version: string, min: string | null, platform: 'android' | 'electron' = 'android') =>
    satisfiesMin(readVersion(version, platform), readConstraint(constraint({ min }), platform)),
  max: (version: string, max: string | null, platform: 'android' | 'electron' = 'android') =>
    satisfiesMax(readVersion(version, platform), readConstraint(constraint({ max }), platform)),
  eq: (version: string, eq: string | null, platform: 'android' | 'electron' = 'android') =>
    satisfiesEq(readVersion(version, platform), readConstraint(constraint({ eq }), platform)),
};

describe('constraints', () => {
  it('let every version pass when they are not set', () => {
    fc.assert(
      fc.property(fc.string(), (version) => {
        expect(satisfies.min(version, null)).toBe(true);
        expect(satisfies.max(version, null)).toBe(true);
        expect(satisfies.eq(version, null)).toBe(true);
      }),
    );
  });

  it('include the bounds themselves', () => {
    expect(['9', '10', '11'].map((version) => satisfies.min(version, '10'))).toEqual([false, true, true]);
    expect(['9', '10', '11'].map((version) => satisfies.max(version, '10'))).toEqual([true, true, false]);
  });

  it('exclude the version of eq and nothing else', () => {
    expect(['9', '10', '11'].map((version) => satisfies.eq(version, '10'))).toEqual([true, false, true]);
  });

  it('exclude a version that is written differently but equal', () => {
    expect(satisfies.eq('1.0', '1.0.0')).toBe(false);
    expect(satisfies.eq('007', '7')).toBe(false);
    expect(satisfies.eq('1.0.0+7', '1.0.0', 'electron')).toBe(false);
  });

  it.each([
    ['', '1'],
    ['1.0.0-beta', '1'],
    ['abc', 'abc'],
    ['1', 'latest'],
  ])('are not met by min and max when "%s" does not compare to "%s"', (version, bound) => {
    expect(satisfies.min(version, bound)).toBe(false);
    expect(satisfies.max(version, bound)).toBe(false);
  });

  it('fall back to plain equality for eq when versions do not compare', () => {
    expect(satisfies.eq('abc', 'abc')).toBe(false);
    expect(satisfies.eq('abc', 'ABC')).toBe(true);
    expect(satisfies.eq('1.0.0+7', '1.0.0')).toBe(true);
    expect(satisfies.eq('', '1')).toBe(true);
    expect(satisfies.eq('nightly', 'nightly', 'electron')).toBe(false);
  });

  it('count digits of other scripts by their value', () => {
    expect(satisfies.min('٢١', '20')).toBe(true);
    expect(satisfies.max('٢١', '20')).toBe(false);
    expect(satisfies.eq('٢١', '21')).toBe(false);
  });

  it('use semantic versions on Electron only', () => {
    expect(satisfies.min('1.0.0-rc.1', '1.0.0-beta', 'electron')).toBe(true);
    expect(satisfies.min('1.0.0-rc.1', '1.0.0', 'electron')).toBe(false);
    expect(satisfies.max('1.0.0-rc.1', '1.0.0', 'electron')).toBe(true);
    expect(satisfies.max('1.0.0-rc.1', '1.0.0', 'android')).toBe(false);
  });
});
