import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';

export const RUNNERS_ORGANIZATION_FKEY = 'runners_organization_id_fkey';

/** Labels of one runner, at most. */
export const MAX_LABELS = 32;
/** Apps that a runner can be limited to, at most. */
export const MAX_RUNNER_APPS = 100;

/** A program that builds, on a machine of the organization or of the operator. What it reports is in its session. */
@Entity('runners')
@Index(['organizationId', 'createdAt'])
@Unique(['hash'])
@Unique(['previousHash'])
@Check('runners_previous_hash_check', `(previous_hash IS NULL) = (previous_expires_at IS NULL)`)
@Check('runners_last_four_check', `char_length(last_four) = 4`)
@Check('runners_labels_check', `cardinality(labels) <= ${MAX_LABELS}`)
@Check('runners_platforms_check', `cardinality(platforms) > 0`)
@Check('runners_app_ids_check', `cardinality(app_ids) BETWEEN 1 AND ${MAX_RUNNER_APPS}`)
export class Runner extends Row {
  /** `null`: it serves all organizations. Only the operator makes such a runner. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Organization, { onDelete: 'CASCADE', name: RUNNERS_ORGANIZATION_FKEY })
  organizationId!: string | null;

  @Column('text')
  name!: string;

  /** Besides those that it reports itself. */
  @Column('text', { array: true, default: () => "'{}'" })
  labels!: string[];

  /** The only platforms that it gets jobs of; `null`: all that it reports. */
  @Column('text', { array: true, nullable: true })
  platforms!: string[] | null;

  /**
   * The only apps that it gets jobs of; `null`: all of its organization. Ids of deleted apps stay: an empty list would
   * look like no restriction.
   */
  @Column('uuid', { array: true, nullable: true })
  appIds!: string[] | null;

  /** It finishes the jobs that it has, and gets no others. */
  @Column('boolean', { default: false })
  isPaused!: boolean;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** The last four characters of the token, for people to recognize it. */
  @Column('text')
  lastFour!: string;

  /** The hash before the last rotation, until `previousExpiresAt`. */
  @Column('text', { nullable: true })
  previousHash!: string | null;

  @TimeColumn({ nullable: true })
  previousExpiresAt!: Date | null;

  /** When its token expires; `null`: never. */
  @TimeColumn({ nullable: true })
  expiresAt!: Date | null;

  /** `null`: the operator, or a user who was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdBy!: string | null;
}
