import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ChangeSignals, JOBS } from '../../database/change-signals.js';
import { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { runnerLost } from './lost-runners.events.js';
import { type LostRunner, LostRunnersQueries } from './lost-runners.queries.js';

const KIND = 'runner-lost';
/** There is only one. */
const THRESHOLD = '';
const BATCH = 200;

/**
 * Records an event for each runner of an organization that is lost: once, until it is back. Runners could not be in contact
 * while the server or its database was away, so it waits for the length of a lease then.
 */
@Injectable()
export class LostRunners implements OnModuleInit {
  private readonly patienceMilliseconds: number;
  /** Not before this time of `performance.now()`. */
  private notBefore = 0;

  constructor(
    private readonly queries: LostRunnersQueries,
    private readonly conditions: EventConditionsQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
    private readonly signals: ChangeSignals,
    config: Config,
  ) {
    this.patienceMilliseconds = config.jobs.leaseSeconds * 1000;
  }

  onModuleInit(): void {
    this.signals.listen(JOBS, {
      connected: () => this.wait(),
      lost: () => this.wait(),
      notified: () => undefined,
    });
    this.queue.schedule({
      name: 'lost-runners',
      cron: '* * * * *',
      timeoutSeconds: 300,
      retryLimit: 0,
      run: () => this.run(),
    });
  }

  private wait(): void {
    this.notBefore = performance.now() + this.patienceMilliseconds;
  }

  private async run(): Promise<void> {
    await this.conditions.clearWhere(KIND, THRESHOLD, ...this.queries.isOver());
    if (performance.now() < this.notBefore) return;
    for (const runner of await this.queries.newlyLost(KIND, BATCH)) await this.record(runner);
  }

  private record({ id, organizationId, name, lastSeenAt }: LostRunner): Promise<boolean> {
    const data = { runnerId: id, runnerName: name, lastSeenAt: lastSeenAt.toISOString() };
    return this.thresholds.cross(runnerLost, KIND, [THRESHOLD], { organizationId, objectId: id, data });
  }
}
