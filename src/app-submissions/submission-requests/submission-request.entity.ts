import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { Submission } from '../submissions/submission.entity.js';

/** A call of a store for a submission, without secrets. Its id is its place in the order of calls. */
@Entity('submission_requests')
@Index(['submissionId', 'id'])
@Index(['createdAt'])
export class SubmissionRequest extends Row {
  @Column('uuid')
  @ForeignKey(() => Submission, { onDelete: 'CASCADE' })
  submissionId!: string;

  @Column('text')
  method!: string;

  /** Without the query of upload addresses. */
  @Column('text')
  url!: string;

  @Column('jsonb')
  requestHeaders!: Record<string, string>;

  /** At most 16 kB; `null`: none, or no text. */
  @Column('text', { nullable: true })
  requestBody!: string | null;

  /** `null`: there was no response. */
  @Column('integer', { nullable: true })
  status!: number | null;

  @Column('jsonb')
  responseHeaders!: Record<string, string>;

  /** As `requestBody`. */
  @Column('text', { nullable: true })
  responseBody!: string | null;

  /** How long it took, in milliseconds. */
  @Column('integer')
  milliseconds!: number;

  /** Why there was no response. */
  @Column('text', { nullable: true })
  error!: string | null;
}
