import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Job } from '../jobs/job.entity.js';

export const JOB_LEASES_JOB_KEY = 'job_leases_job_id_key';
export const JOB_LEASES_CLAIM_KEY = 'job_leases_runner_id_session_id_claim_id_key';

/**
 * A runner has a job, for as long as it reports. Deleted when the job ends or goes back: where there is a lease, its job
 * is `pending` or `in_progress`. Narrow and with few indexes, because it changes with every line of a log.
 */
@Entity('job_leases')
@Unique(JOB_LEASES_JOB_KEY, ['jobId'])
@Unique(JOB_LEASES_CLAIM_KEY, ['runnerId', 'sessionId', 'claimId'])
@Index(['sessionId'])
@Check('job_leases_log_bytes_check', `log_bytes >= 0`)
export class JobLease {
  /** UUID v7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Job, { onDelete: 'CASCADE' })
  jobId!: string;

  /** The attempt that starting makes of it: one more than the job has behind it. */
  @Column('integer')
  attempt!: number;

  @Column('uuid')
  runnerId!: string;

  @Column('uuid')
  sessionId!: string;

  /** The runner's own id of its request, so that a repeated one gets the same job. */
  @Column('uuid')
  claimId!: string;

  /** SHA-256 of the job token, in hexadecimal digits. */
  @Column('text')
  tokenHash!: string;

  @TimeColumn({ default: () => 'now()' })
  grantedAt!: Date;

  @TimeColumn()
  expiresAt!: Date;

  /** Bytes of this attempt's log that were received. */
  @Column('bigint', { default: 0 })
  logBytes!: number;

  /** When the log grew last, or the job started. */
  @TimeColumn({ default: () => 'now()' })
  loggedAt!: Date;
}
