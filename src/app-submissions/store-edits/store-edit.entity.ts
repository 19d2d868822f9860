import { Entity, ForeignKey, PrimaryColumn, Column, Unique } from 'typeorm';
import { CreatedAtColumn } from '../../database/schema/columns.js';
import { Submission } from '../submissions/submission.entity.js';

/**
 * The one submission that may have an edit of an app in Google Play: a commit would end the edits of all others. A row is
 * there as long as the submission works on it.
 */
@Entity('store_edits')
@Unique(['submissionId'])
export class StoreEdit {
  /** The SHA-256 hash of the account and the package, in hexadecimal: other organizations may use both. */
  @PrimaryColumn('text')
  key!: string;

  @Column('uuid')
  @ForeignKey(() => Submission, { onDelete: 'CASCADE' })
  submissionId!: string;

  @CreatedAtColumn()
  createdAt!: Date;
}
