import fc from 'fast-check';
import type { VersionConstraint } from './release-table.js';
import {
  compareSemver,
  compareVersions,
  satisfiesEq,
  satisfiesMax,
  satisfiesMin,
} from './version-constraint.js';

const constraint = (values: Partial<VersionConstraint>): VersionConstraint => ({
  min: null,
  max: null,
  eq: null,
  ...values,
});
const satisfies = {
  min: (version: string, min: string | null, platform: 'android' | 'electron' = 'android') =>
    satisfiesMin(version, constraint({ min }), platform),
  max: (version: string, max: string | null, platform: 'android' | 'electron' = 'android') =>
    satisfiesMax(version, constraint({ max }), platform),
  eq: (version: string, eq: string | null, platform: 'android' | 'electron' = 'android') =>
    satisfiesEq(version, constraint({ eq }), platform),
};

const digits = fc.stringMatching(/^[0-9]{1,400}$/);
const dottedDigits = fc.array(digits, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('.'));

/** Independent comparison of dotted digits, through big integers. */
function expectedOrder(a: string, b: string): number {
  const left = a.split('.').map(BigInt);
  const right = b.split('.').map(BigInt);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [x, y] = [left[i] ?? 0n, right[i] ?? 0n];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

describe('comparison of dotted digits', () => {
  it.each([
    ['9', '10', -1],
    ['1.10', '1.9', 1],
    ['1.0', '1.0.0', 0],
    ['1', '1.0.1', -1],
    ['007', '7', 0],
    ['0', '0.0.0', 0],
    ['2.0', '1.99.99', 1],
  ])('orders %s and %s segment by segment, missing segments being 0', (a, b, order) => {
    for (const platform of ['android', 'ios', 'electron'] as const) {
      expect(compareVersions(a, b, platform)).toBe(order);
    }
  });

  it('keeps every digit of numbers with 400 digits', () => {
    const lower = `1${'0'.repeat(398)}1`;
    const higher = `1${'0'.repeat(398)}2`;
    expect(compareVersions(lower, higher, 'android')).toBe(-1);
    expect(compareVersions(`3.${higher}`, `3.${lower}`, 'ios')).toBe(1);
    expect(compareVersions(`0${higher}`, higher, 'ios')).toBe(0);
  });

  it('agrees with big integers for versions of any length', () => {
    const version = fc.oneof(dottedDigits, fc.stringMatching(/^[0-2]{1,2}(\.[0-2]{1,2}){0,3}$/));
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(compareVersions(a, b, 'android')).toBe(expectedOrder(a, b));
        expect(compareVersions(a, b, 'electron')).toBe(expectedOrder(a, b));
      }),
    );
  });

  it.each(['', '.', '1.', '.1', '1..2', ' 1', '1 ', '+1', '-1', '1e3', '0x1', '١', '1.0-beta', 'v1.0.0'])(
    'does not compare "%s" on Android and iOS',
    (version) => {
      expect(compareVersions(version, '1', 'android')).toBeNull();
      expect(compareVersions('1', version, 'ios')).toBeNull();
    },
  );
});

describe('comparison of semantic versions', () => {
  it('follows the order of precedence given in SemVer 2.0.0', () => {
    const ascending = [
      '0.9.9',
      '1.0.0-0',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0--',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1-alpha',
      '1.10.0',
      '2.0.0-1',
    ];
    ascending.forEach((a, i) =>
      ascending.forEach((b, j) => expect([a, b, compareSemver(a, b)]).toEqual([a, b, Math.sign(i - j)])),
    );
  });

  it('ignores build metadata', () => {
    expect(compareSemver('1.0.0+linux.7', '1.0.0')).toBe(0);
    expect(compareSemver('1.0.0-rc.1+a', '1.0.0-rc.1+b')).toBe(0);
  });

  it('takes dotted digits for a release with missing segments of 0', () => {
    expect(compareSemver('1.2.0-beta.1', '1.2')).toBe(-1);
    expect(compareSemver('1.2.1-beta.1', '1.2')).toBe(1);
    expect(compareSemver('2', '2.0.0+build')).toBe(0);
    expect(compareSemver('1.2.3.4', '1.2.4-beta')).toBe(-1);
  });

  it('compares numbers of 400 digits exactly, in the core and in the pre-release', () => {
    const zeros = '0'.repeat(398);
    expect(compareSemver(`1.0.1${zeros}1-a`, `1.0.1${zeros}2-a`)).toBe(-1);
    expect(compareSemver(`1.0.0-1${zeros}2`, `1.0.0-1${zeros}1`)).toBe(1);
  });

  it.each([
    '',
    '1.0-beta',
    '1.2.3.4-beta',
    '1.0.0-',
    '1.0.0-01',
    '01.0.0-a',
    '1.0.0-a..b',
    '1.0.0+',
    'v1.0.0',
  ])('does not compare "%s", which is no semantic version', (version) => {
    expect(compareSemver(version, '1.0.0')).toBeNull();
    expect(compareSemver('1.0.0-beta', version)).toBeNull();
  });

  it('stays linear on hostile input', () => {
    const hostile = `1.0.0-${'0'.repeat(50_000)}.${'a.'.repeat(50_000)}!`;
    expect(compareSemver(hostile, '1.0.0')).toBeNull();
  });
});

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

  it('use semantic versions on Electron only', () => {
    expect(satisfies.min('1.0.0-rc.1', '1.0.0-beta', 'electron')).toBe(true);
    expect(satisfies.min('1.0.0-rc.1', '1.0.0', 'electron')).toBe(false);
    expect(satisfies.max('1.0.0-rc.1', '1.0.0', 'electron')).toBe(true);
    expect(satisfies.max('1.0.0-rc.1', '1.0.0', 'android')).toBe(false);
  });
});
