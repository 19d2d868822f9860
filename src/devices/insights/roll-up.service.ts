import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { attemptAll } from '../../common/background/attempt-all.js';
import { QueueService } from '../../queue/queue.service.js';
import { RollUpQueries } from './roll-up.queries.js';

/** Counts the devices of each day (UTC) after it has ended. */
@Injectable()
export class RollUpService implements OnModuleInit {
  private readonly logger = new Logger(RollUpService.name);

  constructor(
    private readonly queries: RollUpQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'insights',
      cron: '10 * * * *',
      timeoutSeconds: 7200,
      run: () => this.run(),
    });
  }

  /**
   * Counts all days that have ended and were not counted yet, of all apps. What an hour could not do, the next one
   * makes up for.
   *
   * @returns how many
   * @throws Error when an app could not be counted; the others were
   */
  async run(): Promise<number> {
    let days = 0;
    await attemptAll(
      await this.queries.dueApps(),
      async (appId) => {
        while ((await this.queries.countNextDay(appId)) !== null) days++;
      },
      (err, appId) => this.logger.error({ err, appId }, 'The devices of an app could not be counted'),
    );
    if (days > 0) this.logger.log({ days }, 'The devices of past days were counted');
    return days;
  }
}
