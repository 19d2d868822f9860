import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Automation } from '../automations/automation.entity.js';

/** `recorded`: it was there when the automation was saved. */
export const decidedOutcomes = ['built', 'skipped', 'recorded'] as const;

/** What an automation has decided last about a branch or a tag. */
@Entity('decided_refs')
export class DecidedRef {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Automation, { onDelete: 'CASCADE' })
  automationId!: string;

  /** Such as `refs/heads/main`. */
  @PrimaryColumn('text')
  ref!: string;

  /** A tip that differs is decided, once. */
  @Column('text')
  commitSha!: string;

  @EnumColumn(decidedOutcomes)
  outcome!: (typeof decidedOutcomes)[number];

  @TimeColumn({ default: () => 'now()' })
  decidedAt!: Date;
}
