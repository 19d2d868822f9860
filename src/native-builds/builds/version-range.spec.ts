import { InvalidRequestError } from '../../common/errors/app-error.js';
import { requireSatisfiable, type VersionConstraintFields } from './builds.service.js';

/** The fields that are refused, with the messages. */
function refused(changes: VersionConstraintFields, stored: VersionConstraintFields = {}): [string, string][] {
  try {
    requireSatisfiable(changes, stored);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return (error.errors ?? []).map(({ field, message }) => [field, message]);
  }
}

describe('version constraints', () => {
  it.each<VersionConstraintFields>([
    {},
    { minAndroidAppVersionCode: '10' },
    { minAndroidAppVersionCode: '10', maxAndroidAppVersionCode: '10' },
    { minAndroidAppVersionCode: '9', maxAndroidAppVersionCode: '10' },
    { minIosAppVersionCode: '1.9', maxIosAppVersionCode: '1.10' },
    { minIosAppVersionCode: '1.0', maxIosAppVersionCode: '1' },
    { minElectronAppVersionCode: '2.0.0-beta', maxElectronAppVersionCode: '2.0.0' },
    { minAndroidAppVersionCode: '5', maxAndroidAppVersionCode: '6', eqAndroidAppVersionCode: '5' },
    { minAndroidAppVersionCode: '5', maxIosAppVersionCode: '4' },
  ])('that some version meets are taken: %j', (changes) => {
    expect(refused(changes)).toEqual([]);
  });

  it('that leave no version are refused, each platform for itself', () => {
    expect(
      refused({
        minAndroidAppVersionCode: '10',
        maxAndroidAppVersionCode: '9',
        minIosAppVersionCode: '1.10',
        maxIosAppVersionCode: '1.9.9',
        minElectronAppVersionCode: '2.0.0',
        maxElectronAppVersionCode: '2.0.0-beta',
      }),
    ).toEqual([
      [
        'minAndroidAppVersionCode',
        'No version is between minAndroidAppVersionCode (10) and maxAndroidAppVersionCode (9).',
      ],
      [
        'minIosAppVersionCode',
        'No version is between minIosAppVersionCode (1.10) and maxIosAppVersionCode (1.9.9).',
      ],
      [
        'minElectronAppVersionCode',
        'No version is between minElectronAppVersionCode (2.0.0) and maxElectronAppVersionCode (2.0.0-beta).',
      ],
    ]);
  });

  it('that exclude the only version are refused', () => {
    expect(
      refused({ minIosAppVersionCode: '1', maxIosAppVersionCode: '1.0', eqIosAppVersionCode: '1.0.0' }),
    ).toEqual([
      [
        'minIosAppVersionCode',
        'eqIosAppVersionCode (1.0.0) excludes the only version between minIosAppVersionCode and maxIosAppVersionCode.',
      ],
    ]);
  });

  it('are compared with those that stay', () => {
    const stored = { minAndroidAppVersionCode: '10', maxAndroidAppVersionCode: '20' };
    expect(refused({ maxAndroidAppVersionCode: '9' }, stored)).toHaveLength(1);
    expect(refused({ minAndroidAppVersionCode: '21' }, stored)).toHaveLength(1);
    expect(refused({ minAndroidAppVersionCode: null, maxAndroidAppVersionCode: '9' }, stored)).toEqual([]);
    expect(refused({ minAndroidAppVersionCode: '30', maxAndroidAppVersionCode: '40' }, stored)).toEqual([]);
  });

  it('that were stored before and do not change are left alone', () => {
    const stored = { minAndroidAppVersionCode: '10', maxAndroidAppVersionCode: '9' };
    expect(refused({ minIosAppVersionCode: '1' }, stored)).toEqual([]);
    expect(refused({ maxAndroidAppVersionCode: '8' }, stored)).toHaveLength(1);
    expect(refused({ maxAndroidAppVersionCode: null }, stored)).toEqual([]);
  });

  it('that compare to nothing leave no version', () => {
    expect(refused({ minAndroidAppVersionCode: '5' }, { maxAndroidAppVersionCode: 'abc' })).toHaveLength(1);
  });
});
