import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { IsPackageIds } from './package-ids.decorator.js';

/** A new license key. */
export class CreateLicenseKeyDto {
  /**
   * What the key is for. Need not be unique.
   * @example 'Mobile team'
   */
  @IsName()
  name!: string;

  /** The packages that the key gives access to, by their ids in the operator's catalogue; none when absent. */
  @IsAbsentOr()
  @IsPackageIds()
  packageIds?: string[];
}
