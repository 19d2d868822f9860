import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
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
    createdAt: organization.createdAt.toISOString(),
    updatedAt: organization.updatedAt.toISOString(),
  };
}
