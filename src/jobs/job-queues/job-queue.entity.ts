import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';

/**
 * The queue of an organization. Its row is the lock of the replica that gives its jobs to runners: under it, running jobs can be
 * counted and the limit is exact. Made when the first job of the organization is matched.
 */
@Entity('job_queues')
@Check('job_queues_running_limit_check', `running_limit >= 0`)
export class JobQueue {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  /** Jobs that run at the same time, at most; 0: any number; `null`: `RUNNING_JOBS_PER_ORGANIZATION`. */
  @Column('integer', { nullable: true })
  runningLimit!: number | null;

  /** When one of its jobs was given to a runner last. */
  @TimeColumn({ nullable: true })
  lastServedAt!: Date | null;
}
