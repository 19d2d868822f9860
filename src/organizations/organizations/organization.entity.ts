import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

export const ORGANIZATIONS_SLUG_KEY = 'organizations_slug_key';

/** A company or team of people: the tenant that owns apps. */
@Entity('organizations')
@Unique(ORGANIZATIONS_SLUG_KEY, ['slug'])
@Index('organizations_account_id_idx', ['accountId'])
@Check('organizations_storage_quota_in_bytes_check', 'storage_quota_in_bytes >= 0')
@Check('organizations_suspension_reason_check', 'suspension_reason IS NULL OR suspended_at IS NOT NULL')
@Index('organizations_suspended_idx', ['id'], { where: 'suspended_at IS NOT NULL' })
export class Organization extends Row {
  /**
   * The user who founded it, whose share of what all tenants share it takes; `null`: the operator did. Stays when it is
   * transferred, and when the user is deleted.
   */
  @Column('uuid', { nullable: true })
  accountId!: string | null;

  @Column('text')
  name!: string;

  /** Unique, made from the name at creation. */
  @Column('text')
  slug!: string;

  @Column('text', { nullable: true })
  logo!: string | null;

  /** ISO 3166-1 alpha-2 codes in upper case; `null`: every country. */
  @Column('text', { array: true, nullable: true })
  countryAllowlist!: string[] | null;

  /** Addresses and networks in CIDR notation; `null`: every address. */
  @Column('text', { array: true, nullable: true })
  ipAllowlist!: string[] | null;

  @Column('boolean', { default: false })
  twoFactorRequired!: boolean;

  /** Whether new certificates are limited to the default branch, and none is for builds of uploaded sources. */
  @Column('boolean', { default: false })
  restrictCertificates!: boolean;

  /** How much it may store; 0: no limit; `null`: `ORGANIZATION_STORAGE_GIGABYTES`. Set by the operator. */
  @Column('bigint', { nullable: true })
  storageQuotaInBytes!: number | null;

  /** `null`: it is not suspended. Set by the operator. */
  @TimeColumn({ nullable: true })
  suspendedAt!: Date | null;

  /** One line of the operator's for the members. */
  @Column('text', { nullable: true })
  suspensionReason!: string | null;

  /** When a suspension ended last: what had to wait for it gets its whole time again from then on. */
  @TimeColumn({ nullable: true })
  resumedAt!: Date | null;
}
