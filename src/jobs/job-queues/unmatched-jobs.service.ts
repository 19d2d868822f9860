import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { QueueService } from '../../queue/queue.service.js';
import { JobsService } from '../jobs/jobs.service.js';
import { QueueStateQueries } from './queue-state.queries.js';
import { QueueStateService } from './queue-state.service.js';
import { UnmatchedJobEvents } from './unmatched-job-events.service.js';

/** How long jobs have waited whose lack of a runner is an event, as an interval of PostgreSQL. */
const REPORTED_AFTER = '1 minute';
/** How long jobs wait for their source and their build number: longer than these wait for their turn, which has its own reason. */
const HELD_FOR = '65 minutes';
const NOT_THERE =
  'The source or the build number of the build did not arrive within an hour. Start the build again.';

/**
 * Rejects jobs that no registered runner can do after `JOB_UNMATCHED_MINUTES`, and says what is missing; it is an event before. Jobs whose source
 * or build number is not there after 65 minutes fail.
 */
@Injectable()
export class UnmatchedJobs implements OnModuleInit {
  private readonly logger = new Logger(UnmatchedJobs.name);

  constructor(
    private readonly queue: QueueService,
    private readonly queries: QueueStateQueries,
    private readonly state: QueueStateService,
    private readonly jobs: JobsService,
    private readonly events: UnmatchedJobEvents,
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
    await this.events.record(await this.state.unmatched(await this.queries.groups(REPORTED_AFTER)));
    const held = (await this.queries.groups(HELD_FOR)).filter(({ isHeld }) => isHeld);
    for (const { ids } of held) {
      for (const id of ids.toSorted()) await this.jobs.fail(id, NOT_THERE);
    }
  }
}
