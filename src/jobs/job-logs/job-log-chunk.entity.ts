import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CreatedAtColumn } from '../../database/schema/columns.js';

/** Some lines of a running log. Partitioned by `slot`: a day's table is truncated when its logs have moved to storage. */
@Entity('job_log_chunks')
export class JobLogChunk {
  @PrimaryColumn('smallint')
  slot!: number;

  @PrimaryColumn('uuid')
  jobId!: string;

  /** From 1 without gaps, over all attempts. */
  @PrimaryColumn('integer')
  number!: number;

  /** Lines, without the last line end; at most 64 KiB. */
  @Column('text')
  payload!: string;

  @CreatedAtColumn()
  createdAt!: Date;
}
