import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import type { TokenPermissions } from '../../common/access/permissions.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { type SignInMethod, signInMethods } from '../sessions/session.entity.js';
import { User } from '../users/user.entity.js';

export const TOKENS_USER_FKEY = 'tokens_user_id_fkey';

/** An API token: a credential that acts as its user, within limits. */
@Entity('tokens')
@Unique(['hash'])
@Unique(['previousHash'])
@Check('tokens_previous_hash_check', `(previous_hash IS NULL) = (previous_expires_at IS NULL)`)
@Check('tokens_last_four_check', `char_length(last_four) = 4`)
@Check(
  'tokens_permissions_check',
  `permissions IN ('"all"', '"read-only"') OR (jsonb_typeof(permissions) = 'array' AND permissions <> '[]')`,
)
@Check('tokens_organization_ids_check', `cardinality(organization_ids) > 0`)
@Check('tokens_app_ids_check', `cardinality(app_ids) > 0`)
@Check('tokens_last_used_client_check', `char_length(last_used_client) <= 255`)
export class Token extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE', name: TOKENS_USER_FKEY })
  userId!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** The last four characters of the token, for people to recognize it; `null`: not known. */
  @Column('text', { nullable: true })
  lastFour!: string | null;

  /** The hash before the last rotation, until `previousExpiresAt`. */
  @Column('text', { nullable: true })
  previousHash!: string | null;

  @TimeColumn({ nullable: true })
  previousExpiresAt!: Date | null;

  /** `null`: does not expire. */
  @TimeColumn({ nullable: true })
  expiresAt!: Date | null;

  @Column('jsonb', { default: '"all"' })
  permissions!: TokenPermissions;

  /**
   * The only organizations that the token can see; `null`: all of its user's. Ids of deleted
   * organizations stay: they give no access, and an empty list would look like no restriction.
   */
  @Column('uuid', { array: true, nullable: true })
  organizationIds!: readonly string[] | null;

  /** The only apps that the token can see, as `organizationIds`. */
  @Column('uuid', { array: true, nullable: true })
  appIds!: readonly string[] | null;

  /** When the user who created the token last used a second factor; `null`: without one. */
  @TimeColumn({ nullable: true })
  secondFactorAt!: Date | null;

  /** How the user who created the token had signed in; `null`: not known. */
  @EnumColumn(signInMethods, { nullable: true })
  method!: SignInMethod | null;

  /** Updated at most every few minutes, like the next two. */
  @TimeColumn({ nullable: true })
  lastUsedAt!: Date | null;

  @Column('text', { nullable: true })
  lastUsedAddress!: string | null;

  @Column('text', { nullable: true })
  lastUsedClient!: string | null;
}
