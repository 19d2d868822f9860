import { buildNumbersOf, closedBy, compareVersions } from './apple-version.js';

it.each([
  ['1.2', '1.2.0', 0],
  ['01.2', '1.02.0', 0],
  ['1.10', '1.9', 1],
  ['1.2.3', '1.3', -1],
  ['999999999999999999', '999999999999999998', 1],
  ['1.x', '1.0', 0],
])('compares %s with %s as Apple does', (one, other, result) => {
  expect(compareVersions(one, other)).toBe(result);
  expect(compareVersions(other, one)).toBe(0 - result);
});

it('looks for a build number as it is written, and in its short form', () => {
  expect(buildNumbersOf('42')).toEqual(['42']);
  expect(buildNumbersOf('007.1.0')).toEqual(['007.1.0', '7.1']);
});

describe('the train of a version', () => {
  const approved = { versionString: '1.2.0', state: 'PENDING_DEVELOPER_RELEASE' };

  it.each(['1.2', '1.1.9', '01.2.0'])('of %s is closed by an approved 1.2.0', (version) => {
    expect(closedBy(version, [approved])).toEqual(approved);
  });

  it('is open for a higher version, and beside versions that Apple has not approved', () => {
    expect(closedBy('1.2.1', [approved])).toBeNull();
    const others = ['PREPARE_FOR_SUBMISSION', 'IN_REVIEW', 'REJECTED', 'SOMETHING_NEW', null];
    expect(
      closedBy(
        '1.0',
        others.map((state) => ({ versionString: '9.0', state })),
      ),
    ).toBeNull();
  });

  it('is closed by the highest version, which the user has to exceed', () => {
    const versions = ['1.9', '1.10', '1.2'].map((versionString) => ({
      versionString,
      state: 'READY_FOR_DISTRIBUTION',
    }));
    expect(closedBy('1.0', versions)?.versionString).toBe('1.10');
  });
});
