import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { TimeColumn } from '../../database/schema/columns.js';

/** The part of an app in the queue of its organization. Made when its first job is given to a runner. */
@Entity('job_queue_apps')
@Check('job_queue_apps_running_limit_check', `running_limit >= 0`)
export class JobQueueApp {
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Jobs of the app that run at the same time, at most; 0: any number; `null`: as many as the organization may. */
  @Column('integer', { nullable: true })
  runningLimit!: number | null;

  /** When one of its jobs was given to a runner last. */
  @TimeColumn({ nullable: true })
  lastServedAt!: Date | null;
}
