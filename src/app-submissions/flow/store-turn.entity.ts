import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { CreatedAtColumn, TimeColumn } from '../../database/schema/columns.js';
import { Submission } from '../submissions/submission.entity.js';

/**
 * The one submission whose turn it is, where a store takes one at a time: edits of an app in Google Play, which end each
 * other, or uploads of one build number of an app. A row is there as long as the submission works on it. What only reads in
 * an edit has the turn for a short time instead.
 */
@Entity('store_turns')
@Unique(['submissionId'])
@Check('store_turns_owner_check', 'num_nonnulls(submission_id, reserved_until) = 1')
export class StoreTurn {
  /** A SHA-256 hash of what the turn is for, in hexadecimal: other organizations may use the same account and app. */
  @PrimaryColumn('text')
  key!: string;

  /** `null`: it is reserved for something that only reads. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Submission, { onDelete: 'CASCADE' })
  submissionId!: string | null;

  /** The end of a reservation, which others need not wait for: its process may be gone. */
  @TimeColumn({ nullable: true })
  reservedUntil!: Date | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
