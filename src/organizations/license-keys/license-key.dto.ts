import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { LicensePackage } from '../../config/license-packages.js';
import type { LicenseKeyPackage } from './license-key-package.entity.js';
import type { LicenseKey } from './license-key.entity.js';

/** A package that the operator offers (`LICENSE_PACKAGES`). */
export class LicensePackageDto {
  @ApiId()
  id!: string;

  /** @example '@acme/camera' */
  name!: string;

  /** @example 'Camera' */
  displayName!: string;
}

/** A package that a license key gives access to. */
export class LicenseKeyPackageDto {
  /** Id of the assignment, not of the package. */
  @ApiId()
  id!: string;

  @ApiId()
  licenseKeyId!: string;

  @ApiId()
  packageId!: string;

  @ApiTime()
  createdAt!: string;

  /** The package itself, with the relation `licenseKeyPackages.package`; absent if it is no longer offered. */
  package?: LicensePackageDto;
}

/** A key that gives access to packages. */
export class LicenseKeyDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  /** @example 'Mobile team' */
  name!: string;

  /**
   * The key itself: `SLIP-` and four groups of five digits and capital letters. The last two characters detect typing
   * errors.
   * @example 'SLIP-7Q2ZK-0M4XA-9DRTE-5WHC3'
   */
  key!: string;

  /** Expiry; `null`: never. Always `null` for now. */
  @ApiTime()
  expiresAt!: string | null;

  /**
   * Until then the packages cannot be changed (`LICENSE_KEY_LOCK_DAYS` after they were). A time in the past: they can.
   */
  @ApiTime()
  lockedUntil!: string;

  @ApiTime()
  createdAt!: string;

  /** What the key gives access to, with the relation `licenseKeyPackages`. */
  licenseKeyPackages?: LicenseKeyPackageDto[];
}

/** What is known about a license key besides its own columns. */
export interface LicenseKeyDetails {
  readonly key: string;
  readonly lockedUntil: Date;
  /** If requested. */
  readonly packages?: LicenseKeyPackageDto[] | undefined;
}

/** The response for a license key. */
export function toLicenseKeyDto(
  licenseKey: LicenseKey,
  { key, lockedUntil, packages }: LicenseKeyDetails,
): LicenseKeyDto {
  return {
    id: licenseKey.id,
    organizationId: licenseKey.organizationId,
    name: licenseKey.name,
    key,
    expiresAt: licenseKey.expiresAt?.toISOString() ?? null,
    lockedUntil: lockedUntil.toISOString(),
    createdAt: licenseKey.createdAt.toISOString(),
    ...(packages && { licenseKeyPackages: packages }),
  };
}

/** The response for a package of a license key. @param offered the package itself, if requested */
export function toLicenseKeyPackageDto(
  assigned: LicenseKeyPackage,
  offered: LicensePackage | undefined,
): LicenseKeyPackageDto {
  return {
    id: assigned.id,
    licenseKeyId: assigned.licenseKeyId,
    packageId: assigned.packageId,
    createdAt: assigned.createdAt.toISOString(),
    ...(offered && { package: toLicensePackageDto(offered) }),
  };
}

function toLicensePackageDto(offered: LicensePackage): LicensePackageDto {
  return { id: offered.id.toLowerCase(), name: offered.name, displayName: offered.displayName };
}
