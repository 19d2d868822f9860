import { Injectable } from '@nestjs/common';
import { isForRunners, type Job } from '../jobs/job.entity.js';
import { type JobNeeds, missingFor } from './abilities.js';
import { type QueuedGroup, QueueStateQueries } from './queue-state.queries.js';

/** What is queued for runners, and running on them, in the whole installation. */
export interface QueueCounts {
  /** `held`: waits for its source; `unmatched`: no registered runner can do it; `waiting`: for a runner or a limit. */
  readonly queued: Readonly<Record<'held' | 'unmatched' | 'waiting', number>>;
  readonly running: Readonly<Record<'pending' | 'in_progress', number>>;
  /** Those that run although their leases ended longer ago than they should. */
  readonly overdue: number;
}

/** All queues of runners together: for metrics, and for jobs that no runner can do. */
@Injectable()
export class QueueStateService {
  constructor(private readonly queries: QueueStateQueries) {}

  async count(): Promise<QueueCounts> {
    const running = await this.queries.running();
    const groups = await this.queries.groups('0 seconds');
    const unmatched = new Set((await this.unmatched(groups)).map(({ group }) => group));
    const sizeOf = (is: (group: QueuedGroup) => boolean): number =>
      groups.filter(is).reduce((sum, { ids }) => sum + ids.length, 0);
    return {
      queued: {
        held: sizeOf(({ isHeld }) => isHeld),
        unmatched: sizeOf((group) => unmatched.has(group)),
        waiting: sizeOf((group) => !group.isHeld && !unmatched.has(group)),
      },
      running: {
        pending: running.find(({ status }) => status === 'pending')?.count ?? 0,
        in_progress: running.find(({ status }) => status === 'in_progress')?.count ?? 0,
      },
      overdue: await this.queries.overdue(),
    };
  }

  /** What a job would need that no registered runner has, in contact or not, as one sentence; `null`: a runner fits. */
  async missingFor(job: JobNeeds): Promise<string | null> {
    return missingFor(job, await this.queries.runners([job.organizationId]));
  }

  /** As `missingFor`, of those of some jobs that wait for a runner, by their ids: one statement for any number. */
  async missingForWaiting(jobs: readonly Job[]): Promise<Map<string, string>> {
    const waiting = jobs.filter(
      ({ status, isHeld, kind }) => status === 'queued' && !isHeld && isForRunners(kind),
    );
    if (waiting.length === 0) return new Map();
    const runners = await this.queries.runners([
      ...new Set(waiting.map(({ organizationId }) => organizationId)),
    ]);
    return new Map(
      waiting.flatMap((job) => {
        const { id, organizationId, appId, labels } = job;
        const needs = { organizationId, appId, labels, platform: job.platform ?? '', stack: job.stack ?? '' };
        const missing = missingFor(needs, runners);
        return missing === null ? [] : [[id, missing] as const];
      }),
    );
  }

  /** Of the groups that are not held, those that no registered runner can do, and what is missing. */
  async unmatched(groups: readonly QueuedGroup[]): Promise<{ group: QueuedGroup; missing: string }[]> {
    const queued = groups.filter(({ isHeld }) => !isHeld);
    if (queued.length === 0) return [];
    const runners = await this.queries.runners([
      ...new Set(queued.map(({ organizationId }) => organizationId)),
    ]);
    return queued.flatMap((group) => {
      const missing = missingFor(group, runners);
      return missing === null ? [] : [{ group, missing }];
    });
  }
}
