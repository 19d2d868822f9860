import { ArrayMaxSize, IsArray, IsBoolean, IsISO31661Alpha2 } from 'class-validator';
import { Transform } from 'class-transformer';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { isAddressOrNetwork } from '../../common/request-origin/networks.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import type { Organization } from './organization.entity.js';

/** A company or team of people: the tenant that owns apps. */
export class OrganizationDto {
  @ApiId()
  id!: string;

  /** @example 'Acme' */
  name!: string;

  /**
   * Unique short form of the name.
   * @example 'acme-3f9a1c'
   */
  slug!: string;

  /** Address of a picture. */
  logo!: string | null;

  /** Countries from which the organization may be used (ISO 3166-1 alpha-2); `null`: all. */
  countryAllowlist!: string[] | null;

  /** Addresses and networks (CIDR) from which the organization may be used; `null`: all. */
  ipAllowlist!: string[] | null;

  /** Whether the organization may be used only by members with two-factor authentication. */
  twoFactorRequired!: boolean;

  /**
   * Whether new certificates can be used only by builds of the default branch of their app's repository, unless
   * `allowedRefs` says otherwise, and no certificate by builds of uploaded sources.
   */
  restrictCertificates!: boolean;

  /** Since when the operator has suspended the organization: members can read, but change nothing; `null`: they can. */
  @ApiTime()
  suspendedAt!: string | null;

  /**
   * Why the operator has suspended it; `null`: they did not say, or it is not suspended.
   * @example null
   */
  suspensionReason!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for an organization. */
export function toOrganizationDto(organization: Organization): OrganizationDto {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    logo: organization.logo,
    countryAllowlist: organization.countryAllowlist,
    ipAllowlist: organization.ipAllowlist,
    twoFactorRequired: organization.twoFactorRequired,
    restrictCertificates: organization.restrictCertificates,
    suspendedAt: organization.suspendedAt?.toISOString() ?? null,
    suspensionReason: organization.suspensionReason,
    createdAt: organization.createdAt.toISOString(),
    updatedAt: organization.updatedAt.toISOString(),
  };
}

/** A new organization; its creator becomes the owner. */
export class CreateOrganizationDto {
  /** @example 'Acme' */
  @IsName()
  name!: string;
}

/** Changes to an organization; absent fields stay as they are, `null` clears. */
@ApiExample({ name: 'Acme' })
export class UpdateOrganizationDto {
  /** @example 'Acme' */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /**
   * Countries from which the organization may be used (ISO 3166-1 alpha-2); `null`: all.
   * @example ['DE', 'AT']
   */
  @IsNullable()
  @Transform(({ value }: { value: unknown }) => upperCased(value))
  @IsISO31661Alpha2({ each: true, message: '$property must hold ISO 3166-1 alpha-2 country codes.' })
  @ArrayMaxSize(250)
  @IsArray({ message: '$property must be a list.' })
  countryAllowlist?: string[] | null;

  /**
   * Addresses and networks (CIDR) from which the organization may be used; `null`: all.
   * @example ['192.0.2.0/24', '2001:db8::1']
   */
  @IsNullable()
  @IsAddressOrNetwork()
  @ArrayMaxSize(1000)
  @IsArray({ message: '$property must be a list.' })
  ipAllowlist?: string[] | null;

  /** Whether the organization may be used only by members with two-factor authentication. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  twoFactorRequired?: boolean;

  /**
   * Whether new certificates can be used only by builds of the default branch of their app's repository, unless
   * `allowedRefs` says otherwise, and no certificate by builds of uploaded sources.
   */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  restrictCertificates?: boolean;
}

function upperCased(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map((code: unknown) => (typeof code === 'string' ? code.toUpperCase() : code))
    : value;
}

function IsAddressOrNetwork(): PropertyDecorator {
  return IsTextThat(isAddressOrNetwork, '$property must hold IP addresses or networks in CIDR notation.', {
    each: true,
  });
}
