import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn, TimeColumn } from '../../database/schema/columns.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { Job } from '../jobs/job.entity.js';

/** Tables that hold chunks, each those of logs that began on one day; on the ninth day the first is used again. */
export const LOG_SLOTS = 8;

/**
 * The log of a job, over all attempts. The content is in chunks while the job runs, and in a blob afterwards. The trigger
 * `delete_job_log_chunks` deletes the chunks with it.
 */
@Entity('job_logs')
@Index(['slot'], { where: 'archived_at IS NULL' })
@Index(['createdAt'])
@Index(['blobId'], { where: 'blob_id IS NOT NULL' })
@Check('job_logs_slot_check', `slot BETWEEN 0 AND ${LOG_SLOTS - 1}`)
export class JobLog {
  /** That of the job. */
  @PrimaryColumn('uuid')
  @ForeignKey(() => Job, { onDelete: 'CASCADE' })
  id!: string;

  @CreatedAtColumn()
  createdAt!: Date;

  /** Which table has the chunks: the days since 1970 modulo `LOG_SLOTS`, of the day when the log began. */
  @Column('smallint')
  slot!: number;

  /** The number of the newest chunk; 0 before the first. */
  @Column('integer', { default: 0 })
  lastNumber!: number;

  /** Bytes of text that were kept. */
  @Column('bigint', { default: 0 })
  sizeInBytes!: number;

  /** Whether the limit was reached: what the runner sends is not kept any more. */
  @Column('boolean', { default: false })
  isFull!: boolean;

  /** The line that has no end yet, as it was received: it may hold secrets that are to be masked, so it is encrypted. */
  @Column('text', { nullable: true })
  sealedTail!: string | null;

  /** What the runner got and must not show, as JSON: secrets may change while it has them. Encrypted. */
  @Column('text', { nullable: true })
  sealedMasks!: string | null;

  /** The finished log: an array in JSON, in members of gzip. See ADR 60. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Blob)
  blobId!: string | null;

  /** Where the lines of the finished log are; `null`: an older version has written it. A `StoredIndex`. */
  @Column('jsonb', { nullable: true })
  archiveIndex!: object | null;

  /** Why the job failed, in short: see `FailureSummaries`. Deleted together with the log, whose lines it contains. */
  @Column('text', { nullable: true })
  failureSummary!: string | null;

  /** When the chunks had moved to the blob. */
  @TimeColumn({ nullable: true })
  archivedAt!: Date | null;
}
