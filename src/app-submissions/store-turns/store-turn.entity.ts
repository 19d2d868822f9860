import { Entity, ForeignKey, PrimaryColumn, Column, Unique } from 'typeorm';
import { CreatedAtColumn } from '../../database/schema/columns.js';
import { Submission } from '../submissions/submission.entity.js';

/**
 * The one submission whose turn it is, where a store takes one at a time: edits of an app in Google Play, which end each
 * other, or uploads of one build number of an app. A row is there as long as the submission works on it.
 */
@Entity('store_turns')
@Unique(['submissionId'])
export class StoreTurn {
  /** A SHA-256 hash of what the turn is for, in hexadecimal: other organizations may use the same account and app. */
  @PrimaryColumn('text')
  key!: string;

  @Column('uuid')
  @ForeignKey(() => Submission, { onDelete: 'CASCADE' })
  submissionId!: string;

  @CreatedAtColumn()
  createdAt!: Date;
}
