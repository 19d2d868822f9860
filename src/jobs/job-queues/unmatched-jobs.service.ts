import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { QueueService } from '../../queue/queue.service.js';
import { JobsService } from '../jobs/jobs.service.js';
import { QueueStateQueries } from './queue-state.queries.js';
import { QueueStateService } from './queue-state.service.js';

/** How long jobs wait for their source and their build number, as an interval of PostgreSQL. */
const HELD_FOR = '1 hour';
const NOT_THERE =
  'The source or the build number of the build did not arrive within an hour. Start the build again.';

/**
 * Rejects jobs that no registered runner can do after `JOB_UNMATCHED_MINUTES`, and says what is missing. Jobs whose source
 * or build number is not there after an hour fail.
 */
@Injectable()
export class UnmatchedJobs implements OnModuleInit {
  private readonly logger = new Logger(UnmatchedJobs.name);

  constructor(
    private readonly queue: QueueService,
    private readonly queries: QueueStateQueries,
    private readonly state: QueueStateService,
    private readonly jobs: JobsService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'unmatched-jobs',
      cron: '* * * * *',
      timeoutSeconds: 300,
      retryLimit: 0,
      run: () => this.endAll(),
    });
  }

  private async endAll(): Promise<void> {
    const waiting = await this.queries.groups(`${this.config.jobs.unmatchedMinutes} minutes`);
    for (const { group, missing } of await this.state.unmatched(waiting)) {
      await this.jobs.reject(group.ids, missing);
      this.logger.log({ jobs: group.ids.length, missing }, 'Rejected jobs that no registered runner can do');
    }
    const held = (await this.queries.groups(HELD_FOR)).filter(({ isHeld }) => isHeld);
    for (const { ids } of held) {
      for (const id of ids.toSorted()) await this.jobs.fail(id, NOT_THERE);
    }
  }
}
