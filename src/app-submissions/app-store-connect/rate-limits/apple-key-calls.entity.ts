import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../../database/schema/columns.js';
import { Organization } from '../../../organizations/organizations/organization.entity.js';

/**
 * The calls of one organization with one key of App Store Connect in one minute, and what Apple said last. Only calls that
 * Apple has authenticated: anybody can name the key id of others.
 */
@Entity('apple_key_calls')
export class AppleKeyCalls {
  /** See `appleKeyHash`. */
  @PrimaryColumn('text')
  keyHash!: string;

  /** When the minute began. */
  @PrimaryColumn('timestamptz', { precision: 3 })
  minute!: Date;

  @PrimaryColumn('uuid')
  @Index()
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  @Column('integer')
  calls!: number;

  /** Calls in an hour that Apple allows the key; `null`: it has not said so. */
  @Column('integer', { nullable: true })
  hourLimit!: number | null;

  /** How many of them were left after the last answer. */
  @Column('integer', { nullable: true })
  remaining!: number | null;

  /** When the last answer came. */
  @TimeColumn()
  answeredAt!: Date;

  /** Apple wants no call before; `null`: it has not said so. */
  @TimeColumn({ nullable: true })
  pausedUntil!: Date | null;
}
