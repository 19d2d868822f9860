import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';
import { IsLicensePackages, type LicensePackage } from '../license-packages.js';

/** License keys of organizations. */
export class LicenseConfig {
  /**
   * Packages that license keys can give access to, for all organizations. If you remove a package, keys that have it
   * keep it.
   *
   * @default `[]`: none
   * @values a JSON array of `{"id": "<UUID>", "name": "@acme/camera", "displayName": "Camera"}`, with unique ids
   */
  @Env('LICENSE_PACKAGES')
  @IsLicensePackages()
  packages: LicensePackage[] = [];

  /**
   * Days for which the packages of a license key cannot change again after a change. Also applies to existing keys.
   *
   * @default `0`: no lock
   */
  @Env('LICENSE_KEY_LOCK_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  lockDays: number = 0;
}
