import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { RollUpQueries } from './roll-up.queries.js';

const QUEUE: QueueDefinition = {
  name: 'insights',
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  expireInSeconds: 7200,
};

/** Ten minutes past each hour: what a day could not do, the next hour makes up for. */
const HOURLY = '10 * * * *';

/** Counts the devices of each day (UTC) when it is over. */
@Injectable()
export class RollUpService implements OnModuleInit {
  private readonly logger = new Logger(RollUpService.name);

  constructor(
    private readonly queries: RollUpQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(QUEUE, HOURLY, async () => {
      await this.run();
    });
  }

  /**
   * Counts all days that are over and were not counted yet, of all apps.
   *
   * @returns how many
   * @throws Error when an app could not be counted; the others were
   */
  async run(): Promise<number> {
    let days = 0;
    let failed = 0;
    for (const appId of await this.queries.dueApps()) {
      try {
        while ((await this.queries.countNextDay(appId)) !== null) days++;
      } catch (error) {
        failed++;
        this.logger.error({ err: error, appId }, 'The devices of an app could not be counted');
      }
    }
    if (days > 0) this.logger.log({ days }, 'Days of apps were counted');
    if (failed > 0) throw new Error(`The devices of ${failed} apps could not be counted.`);
    return days;
  }
}
