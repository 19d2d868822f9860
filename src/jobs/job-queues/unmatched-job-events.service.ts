import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import type { Job } from '../jobs/job.entity.js';
import { JobsService } from '../jobs/jobs.service.js';
import type { JobUnmatchedEventDto } from './job-unmatched-event.dto.js';
import { jobUnmatched } from './job-queues.events.js';
import type { QueuedGroup } from './queue-state.queries.js';

const KIND = 'job-unmatched';
/** There is only one. */
const THRESHOLD = '';

/** Records once that no registered runner can do a job. */
@Injectable()
export class UnmatchedJobEvents {
  constructor(
    private readonly jobs: JobsService,
    private readonly conditions: EventConditionsQueries,
    private readonly thresholds: ThresholdEvents,
  ) {}

  /** @param unmatched all queued jobs that no runner can do now, and have waited for a while, with what is missing */
  async record(unmatched: readonly { group: QueuedGroup; missing: string }[]): Promise<void> {
    const all = unmatched.flatMap(({ group }) => group.ids);
    await this.conditions.clearWhere(KIND, THRESHOLD, 'NOT state.object_id = ANY ($3)', [all]);
    for (const { group, missing } of unmatched) {
      for (const id of await this.conditions.notRaised(group.ids, KIND, THRESHOLD)) {
        await this.recordOne(id, missing);
      }
    }
  }

  /** Locked, so that it follows what has happened to the job. */
  private recordOne(id: string, missing: string): Promise<void> {
    return transaction(async () => {
      await this.jobs.lock(id);
      const job = (await this.jobs.getMany([id])).get(id);
      if (job?.status !== 'queued') return;
      const happening = { appId: job.appId, objectId: id, data: dataOf(job, missing) };
      await this.thresholds.cross(jobUnmatched, KIND, [THRESHOLD], happening);
    });
  }
}

function dataOf(job: Job, missing: string): JobUnmatchedEventDto {
  return {
    jobId: job.id,
    appBuildId: job.subjectId,
    platform: job.platform ?? 'web',
    stack: job.stack ?? '',
    labels: job.labels,
    missing,
    queuedAt: job.queuedAt?.toISOString() ?? null,
  };
}
