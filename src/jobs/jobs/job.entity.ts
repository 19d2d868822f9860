import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn, isOneOf, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';

export const activeJobStatuses = ['queued', 'pending', 'in_progress'] as const;
export const finalJobStatuses = ['succeeded', 'failed', 'canceled', 'rejected', 'timed_out'] as const;
export const jobStatuses = [...activeJobStatuses, ...finalJobStatuses] as const;
/** A status that a job does not leave. */
export type FinalJobStatus = (typeof finalJobStatuses)[number];
export type JobStatus = (typeof jobStatuses)[number];

/** The kinds of jobs that runners execute. */
export const runnerJobKinds = ['build'] as const;
export type RunnerJobKind = (typeof runnerJobKinds)[number];
/** Those that the API's own workers execute: runners never see them, and they have no count of attempts. */
export const workerJobKinds = ['import', 'submission'] as const;
export type WorkerJobKind = (typeof workerJobKinds)[number];
export const jobKinds = [...runnerJobKinds, ...workerJobKinds] as const;
export type JobKindName = (typeof jobKinds)[number];

/** A condition of SQL on rows of `jobs`: runners execute them. Every statement about queues and runners has it. */
export const FOR_RUNNERS = isOneOf('kind', runnerJobKinds);

/** Whether runners execute the jobs of a kind. */
export function isForRunners(kind: JobKindName): boolean {
  return (runnerJobKinds as readonly string[]).includes(kind);
}

export const jobPlatforms = ['android', 'ios', 'web'] as const;
export type JobPlatform = (typeof jobPlatforms)[number];

/** How long a job may run: from a minute to six hours; one that no runner executes, to a day. */
export const MIN_JOB_SECONDS = 60;
export const MAX_JOB_SECONDS = 21_600;
export const MAX_WORKER_JOB_SECONDS = 86_400;

/** A job whose runner vanishes starts once more. */
export const MAX_JOB_ATTEMPTS = 2;

/** Work that is done in the background, by a runner or by the API itself. See docs/jobs.md for its states. */
@Entity('jobs')
@Index(['organizationId', 'createdAt', 'id'])
@Index(['appId', 'createdAt', 'id'])
@Index(['canceledBy'], { where: 'canceled_by IS NOT NULL' })
@Index(['createdBy'], { where: 'created_by IS NOT NULL' })
@Index('jobs_queued_idx', ['organizationId', 'appId', 'createdAt'], {
  where: `status = 'queued' AND ${FOR_RUNNERS}`,
})
@Index('jobs_running_idx', ['organizationId', 'appId'], {
  where: `status IN ('pending', 'in_progress') AND ${FOR_RUNNERS}`,
})
@Index('jobs_for_workers_idx', ['appId', 'createdAt'], {
  where: `${isOneOf('status', activeJobStatuses)} AND NOT ${FOR_RUNNERS}`,
})
@Index('jobs_started_idx', ['inProgressAt'], { where: `status = 'in_progress'` })
@Check(
  'jobs_finished_at_check',
  `(finished_at IS NOT NULL) = (status IN (${finalJobStatuses.map((status) => `'${status}'`).join(', ')}))`,
)
@Check(
  'jobs_timeout_seconds_check',
  `timeout_seconds BETWEEN ${MIN_JOB_SECONDS} AND ` +
    `CASE WHEN ${FOR_RUNNERS} THEN ${MAX_JOB_SECONDS} ELSE ${MAX_WORKER_JOB_SECONDS} END`,
)
@Check('jobs_attempts_check', `attempts BETWEEN 0 AND ${MAX_JOB_ATTEMPTS}`)
@Check(
  'jobs_executor_check',
  `CASE WHEN ${FOR_RUNNERS} THEN platform IS NOT NULL AND stack IS NOT NULL ` +
    `ELSE attempts = 0 AND runner_id IS NULL AND NOT is_held END`,
)
@Check('jobs_step_check', `step >= 0 AND step_runs >= 0 AND (NOT ${FOR_RUNNERS} OR step + step_runs = 0)`)
export class Job extends Row {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @EnumColumn(jobKinds)
  kind!: JobKindName;

  /**
   * What the job is about; of the kinds `build` and `import`, the build, of `submission`, the deployment. Without a foreign
   * key, because that is downstream.
   */
  @Column('uuid', { nullable: true })
  subjectId!: string | null;

  @EnumColumn(jobStatuses)
  status!: JobStatus;

  /** One sentence about how it ended, of at most `MAX_STATUS_MESSAGE` characters. */
  @Column('text', { nullable: true })
  statusMessage!: string | null;

  /** `null` only if no runner executes it, as `stack`. */
  @EnumColumn(jobPlatforms, { nullable: true })
  platform!: JobPlatform | null;

  /** Such as `macos-tahoe`. */
  @Column('text', { nullable: true })
  stack!: string | null;

  /** A runner must have all of them. */
  @Column('text', { array: true, default: () => "'{}'" })
  labels!: string[];

  /** Whether an automation made it, not a person. */
  @Column('boolean', { default: false })
  isAutomated!: boolean;

  /** Queued, but no runner may take it yet: it waits for its source. */
  @Column('boolean', { default: false })
  isHeld!: boolean;

  /** How often a runner started it; 0 if no runner executes it. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** The step that a worker does next, or now: 0 and up. See ADR 49. */
  @Column('integer', { default: 0 })
  step!: number;

  /** How often workers have begun that step. */
  @Column('integer', { default: 0 })
  stepRuns!: number;

  /** How long one attempt may run. */
  @Column('integer', { default: 3600 })
  timeoutSeconds!: number;

  /** The step that failed, as the runner calls it. */
  @Column('text', { nullable: true })
  failedStep!: string | null;

  /** The runner that has it, or had it last. */
  @Column('uuid', { nullable: true })
  runnerId!: string | null;

  /** The lease whose runner finished it, so that a repeated `finish` gets the same response. */
  @Column('uuid', { nullable: true })
  finishedLeaseId!: string | null;

  @TimeColumn({ nullable: true })
  queuedAt!: Date | null;

  @TimeColumn({ nullable: true })
  pendingAt!: Date | null;

  @TimeColumn({ nullable: true })
  inProgressAt!: Date | null;

  @TimeColumn({ nullable: true })
  canceledAt!: Date | null;

  @TimeColumn({ nullable: true })
  finishedAt!: Date | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  canceledBy!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdBy!: string | null;
}
