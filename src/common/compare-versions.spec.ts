import fc from 'fast-check';
import { compareSemver, compareVersions, isVersion } from './compare-versions.js';

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

  it.each(['', '.', '1.', '.1', '1..2', ' 1', '1 ', '+1', '-1', '1e3', '0x1', '½', '1.0-beta', 'v1.0.0'])(
    'does not compare "%s" on Android and iOS',
    (version) => {
      expect(compareVersions(version, '1', 'android')).toBeNull();
      expect(compareVersions('1', version, 'ios')).toBeNull();
    },
  );
});

describe('digits of other scripts', () => {
  it.each([
    ['٢١', '20', 1],
    ['٢١', '21', 0],
    ['۱.۴.۰', '1.4', 0],
    ['১৯', '20', -1],
    ['２１', '٢١', 0],
    ['2١', '21', 0],
  ])('compares %s and %s by value', (a, b, order) => {
    for (const platform of ['android', 'ios', 'electron'] as const) {
      expect(compareVersions(a, b, platform)).toBe(order);
    }
  });

  it('compares pre-releases by value, and no other numbers', () => {
    expect(compareSemver('١.٠.٠-rc.٢', '1.0.0-rc.10')).toBe(-1);
    expect(compareVersions('²', '2', 'android')).toBeNull();
    expect(compareVersions('٢١٫٠', '21', 'android')).toBeNull();
  });

  it('are not for the versions that people write', () => {
    expect([isVersion('٢١', 'android'), isVersion('١.٠.٠', 'electron')]).toEqual([false, false]);
  });
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

describe('a version', () => {
  it.each(['0', '10', '007', '1.0.5', '2147483648', '1.2.3.4.5'])('may be %s everywhere', (text) => {
    for (const platform of ['android', 'ios', 'electron'] as const) {
      expect(isVersion(text, platform)).toBe(true);
    }
  });

  it.each(['1.2.3-beta.1', '1.2.3+5', '1.2.3-beta.1+5'])('may be %s on Electron only', (text) => {
    expect(isVersion(text, 'electron')).toBe(true);
    expect(isVersion(text, 'android')).toBe(false);
    expect(isVersion(text, 'ios')).toBe(false);
  });

  it.each(['', '.', '1..2', '1.2.', '.1', 'abc', 'v1', '1.2-beta', ' 1', '1\n', '-1'])(
    'is never %j, which compares to nothing',
    (text) => {
      for (const platform of ['android', 'ios', 'electron'] as const) {
        expect(isVersion(text, platform)).toBe(false);
        expect(compareVersions(text, '1', platform)).toBeNull();
      }
    },
  );
});
