import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { QueueService } from '../../queue/queue.service.js';
import { JobsService } from '../jobs/jobs.service.js';
import { QueueStateQueries } from './queue-state.queries.js';
import { QueueStateService } from './queue-state.service.js';

/** How long jobs wait for a runner that can do them, as an interval of PostgreSQL. */
const PATIENCE = '1 hour';

/**
 * Rejects jobs that no registered runner can do, after an hour, and says what is missing. Jobs whose source is still not
 * there by then fail.
 */
@Injectable()
export class UnmatchedJobs implements OnModuleInit {
  private readonly logger = new Logger(UnmatchedJobs.name);

  constructor(
    private readonly queue: QueueService,
    private readonly queries: QueueStateQueries,
    private readonly state: QueueStateService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'unmatched-jobs',
      cron: '* * * * *',
      timeoutSeconds: 300,
      retryLimit: 0,
      run: () => this.reject(),
    });
  }

  private async reject(): Promise<void> {
    const groups = await this.queries.groups(PATIENCE);
    for (const { group, missing } of await this.state.unmatched(groups)) {
      await this.jobs.reject(group.ids, missing);
      this.logger.log({ jobs: group.ids.length, missing }, 'Rejected jobs that no registered runner can do');
    }
    for (const { ids } of groups.filter(({ isHeld }) => isHeld)) {
      for (const id of ids.toSorted()) await this.jobs.fail(id, 'The source did not arrive within an hour.');
    }
  }
}
