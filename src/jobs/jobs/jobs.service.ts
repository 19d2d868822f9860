import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOperator, type FindOptionsWhere, In, MoreThan, Raw, type Repository } from 'typeorm';
import type { Principal } from '../../common/access/principal.js';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import { databaseNow } from '../../common/database-clock.js';
import type { Page } from '../../common/pagination/page.js';
import { CountLimits } from '../../database/count-limits.js';
import { findOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { EventsService } from '../../events/events.service.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';
import { activeJobStatuses, isForRunners, Job, type JobKindName, type JobStatus } from './job.entity.js';
import { toJobDto, type ListJobsQuery } from './job.dto.js';
import { JobEndings } from './job-endings.service.js';
import { jobCreated } from './jobs.events.js';
import { JobsQueries } from './jobs.queries.js';

export type NewJob = Pick<
  Job,
  | 'organizationId'
  | 'appId'
  | 'kind'
  | 'subjectId'
  | 'platform'
  | 'stack'
  | 'labels'
  | 'createdBy'
  | 'isAutomated'
  | 'isHeld'
  | 'timeoutSeconds'
>;

/** What happens to jobs before and besides their execution. All methods join the running transaction. */
@Injectable()
export class JobsService {
  constructor(
    @InjectRepository(Job) private readonly jobs: Repository<Job>,
    private readonly queries: JobsQueries,
    private readonly endings: JobEndings,
    private readonly limits: CountLimits,
    private readonly events: EventsService,
  ) {}

  /**
   * Creates a job that is `queued`.
   *
   * @throws ConflictError when the organization has as many queued builds as the server allows
   */
  create(values: NewJob): Promise<Job> {
    return transaction(async () => {
      if (isForRunners(values.kind)) await this.requireRoom(values.organizationId);
      const queuedAt = databaseNow();
      const job = await insertOrThrow(this.jobs, { ...values, status: 'queued', queuedAt });
      await this.events.record(jobCreated, { appId: job.appId, objectId: job.id, data: toJobDto(job) });
      if (isForRunners(job.kind) && !job.isHeld) await this.queries.announce(job.organizationId);
      return job;
    });
  }

  private requireRoom(organizationId: string): Promise<void> {
    const queued = { organizationId, kind: 'build' as const, status: 'queued' as const };
    return this.limits.requireRoom('queuedBuildsPerOrganization', organizationId, this.jobs, queued);
  }

  /**
   * Whether fewer than `max` jobs of a kind of an app have not ended. Call it in the transaction that adds one, before it
   * does: others that add one wait until the transaction ends.
   */
  hasRoomInApp(kind: JobKindName, appId: string, max: number): Promise<boolean> {
    const active = { appId, kind, status: In([...activeJobStatuses]) };
    return this.limits.hasRoom(`active ${kind} jobs`, max, appId, this.jobs, active);
  }

  /** Locks a job until the transaction ends, as its end does. */
  lock(jobId: string): Promise<void> {
    return this.queries.lock(jobId);
  }

  /**
   * What a held job waited for is there: runners may take it. Does nothing to a job that has ended.
   *
   * @returns whether the job was held
   */
  release(jobId: string): Promise<boolean> {
    return transaction(async () => {
      const organizationId = await this.queries.release(jobId);
      if (organizationId !== null) await this.queries.announce(organizationId);
      return organizationId !== null;
    });
  }

  /** Ends a queued job as `failed`, such as one whose source cannot be fetched. Does nothing to one that a runner has. */
  async fail(jobId: string, statusMessage: string): Promise<void> {
    await this.endings.end(jobId, ['queued'], { status: 'failed', statusMessage });
  }

  /** Ends queued jobs as `rejected`, such as those that no runner can do. */
  async reject(jobIds: readonly string[], statusMessage: string): Promise<void> {
    // In a fixed order, so that two replicas never wait for each other.
    for (const id of jobIds.toSorted()) {
      await this.endings.end(id, ['queued'], { status: 'rejected', statusMessage });
    }
  }

  /** Cancels queued jobs, and gives the place of the oldest one in the queue to another job. */
  replace(jobIds: readonly string[], by: string, statusMessage: string): Promise<void> {
    return transaction(async () => {
      let oldest: Job | null = null;
      // In a fixed order, so that two replicas never wait for each other.
      for (const id of jobIds.toSorted()) {
        const ended = await this.endings.end(id, ['queued'], { status: 'canceled', statusMessage });
        if (ended !== null && (oldest === null || ended.createdAt < oldest.createdAt)) oldest = ended;
      }
      if (oldest === null) return;
      const { createdAt, queuedAt } = oldest;
      await this.jobs.update({ id: by, createdAt: MoreThan(createdAt) }, { createdAt, queuedAt });
    });
  }

  /**
   * Ends a job immediately; its runner learns of it with its next request.
   *
   * @throws InvalidRequestError when the job has ended
   * @throws NotFoundError when it was deleted
   */
  cancel(jobId: string, userId: string): Promise<Job> {
    return transaction(async () => {
      const ended = await this.endings.end(jobId, activeJobStatuses, {
        status: 'canceled',
        canceledBy: userId,
        note: 'The job was canceled.',
      });
      if (ended !== null) return ended;
      const { status } = await this.get(jobId);
      throw new InvalidRequestError(`The job cannot be canceled: ${ENDED[status]}.`, 'job_finished');
    });
  }

  /** @throws NotFoundError */
  get(jobId: string): Promise<Job> {
    return findOrThrow(this.jobs, { id: jobId });
  }

  /** The jobs of an organization in apps that the caller can see, newest first. */
  list(caller: Principal, query: ListJobsQuery): Promise<Page<Job>> {
    const where: FindOptionsWhere<Job> = {
      organizationId: query.organizationId,
      appId: visibleApps(caller.userId, caller.limits.appIds),
      ...(query.status === undefined ? {} : { status: In(query.status) }),
    };
    return findPage(this.jobs, where, query, { createdAt: 'DESC' });
  }

  /** Jobs by their ids, for those who present what they belong to. */
  async getMany(jobIds: readonly string[]): Promise<Map<string, Job>> {
    if (jobIds.length === 0) return new Map();
    const jobs = await this.jobs.findBy({ id: In([...jobIds]) });
    return new Map(jobs.map((job) => [job.id, job]));
  }
}

/** A condition on a column of app ids: teams and the token let the user see the app. */
function visibleApps(userId: string, appIds: readonly string[] | null): FindOperator<string> {
  return Raw(
    (column) =>
      `${column} IN (SELECT app.id FROM apps AS app
                       JOIN members AS member
                         ON member.organization_id = app.organization_id AND member.user_id = :userId
                      WHERE (:appIds::uuid[] IS NULL OR app.id = ANY(:appIds)) AND ${withinTeams})`,
    { userId, appIds },
  );
}

const ENDED: Readonly<Record<JobStatus, string>> = {
  queued: 'it changed meanwhile',
  pending: 'it changed meanwhile',
  in_progress: 'it changed meanwhile',
  succeeded: 'it has succeeded',
  failed: 'it has failed',
  canceled: 'it was canceled already',
  rejected: 'it was rejected',
  timed_out: 'it has timed out',
};
