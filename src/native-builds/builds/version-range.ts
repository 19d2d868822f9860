import { type FieldError, invalidFields } from '../../common/errors/app-error.js';
import { compareVersions } from '../../common/versions/compare-versions.js';
import type { BuildTargetingDto } from './build-targeting.dto.js';

/** The version constraints of a build. */
export type VersionConstraintFields = Omit<BuildTargetingDto, 'customProperties'>;

/** The fields of each platform. */
const ranges = [
  {
    platform: 'android',
    min: 'minAndroidAppVersionCode',
    max: 'maxAndroidAppVersionCode',
    eq: 'eqAndroidAppVersionCode',
  },
  { platform: 'ios', min: 'minIosAppVersionCode', max: 'maxIosAppVersionCode', eq: 'eqIosAppVersionCode' },
  {
    platform: 'electron',
    min: 'minElectronAppVersionCode',
    max: 'maxElectronAppVersionCode',
    eq: 'eqElectronAppVersionCode',
  },
] as const;

/**
 * Refuses version constraints that leave no version of a platform. Platforms whose constraints do not change are not
 * checked.
 *
 * @param changes an absent field stays as it is stored
 * @param stored constraints of the build so far; empty for a new one
 * @throws InvalidRequestError
 */
export function requireSatisfiable(
  changes: VersionConstraintFields,
  stored: VersionConstraintFields = {},
): void {
  const errors = ranges.flatMap(({ platform, ...fields }): FieldError[] => {
    const changed = Object.values(fields).filter((field) => changes[field] !== undefined);
    const [field] = changed;
    if (field === undefined) return [];
    const valueOf = (name: keyof VersionConstraintFields): string | null =>
      (changes[name] === undefined ? stored[name] : changes[name]) ?? null;
    const [min, max, eq] = [valueOf(fields.min), valueOf(fields.max), valueOf(fields.eq)];
    if (min === null || max === null) return [];
    const order = compareVersions(min, max, platform);
    if (order === null || order > 0) {
      return [{ field, message: `No version is between ${fields.min} (${min}) and ${fields.max} (${max}).` }];
    }
    if (order === 0 && eq !== null && compareVersions(min, eq, platform) === 0) {
      return [
        {
          field,
          message: `${fields.eq} (${eq}) excludes the only version between ${fields.min} and ${fields.max}.`,
        },
      ];
    }
    return [];
  });
  if (errors.length > 0) throw invalidFields(errors);
}
