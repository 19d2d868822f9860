import { PartialType, ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, Matches } from 'class-validator';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { LicensePackage } from '../../config/license-packages.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import { uuidPattern } from '../../common/validation/uuid.js';
import type { LicenseKeyPackage } from './license-key-package.entity.js';
import type { LicenseKey } from './license-key.entity.js';

/** Most packages of a license key. */
const MAX_PACKAGES = 1000;

/** Ids of packages: up to 1,000 UUIDs. They become lower case, doubles are dropped. */
function IsPackageIds(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], format: 'uuid', maxItems: MAX_PACKAGES }),
    Transform(({ value }: { value: unknown }) => normalized(value)),
    IsArray({ message: '$property must be a list of UUIDs.' }),
    ArrayMaxSize(MAX_PACKAGES, { message: `$property must hold at most ${MAX_PACKAGES} ids.` }),
    Matches(uuidPattern, { each: true, message: '$property must be a list of UUIDs.' }),
  );
}

function normalized(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return [...new Set(value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id)))];
}

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

/** Changes to a license key; absent fields stay as they are, `packageIds` replaces all packages. */
@ApiExample({ name: 'Mobile team' })
export class UpdateLicenseKeyDto extends PartialType(CreateLicenseKeyDto, { skipNullProperties: false }) {}

/** What to include with a license key. */
export class GetLicenseKeyQuery {
  @Relations('licenseKeyPackages', 'licenseKeyPackages.package')
  relations?: string[];
}
