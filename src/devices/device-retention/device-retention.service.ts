import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { attemptAll } from '../../common/background/attempt-all.js';
import { Config } from '../../config/config.js';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { QueueService } from '../../queue/queue.service.js';
import { DeviceRetentionQueries } from './device-retention.queries.js';

/** Devices that one statement deletes. */
const BATCH = 1000;

/** Deletes devices that were not seen for as long as their app says, or else the configuration. */
@Injectable()
export class DeviceRetentionService implements OnModuleInit {
  private readonly logger = new Logger(DeviceRetentionService.name);

  constructor(
    private readonly queries: DeviceRetentionQueries,
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {}

  /** When the day before has been counted. */
  onModuleInit(): void {
    this.queue.schedule({
      name: 'device-retention',
      cron: '20 1 * * *',
      timeoutSeconds: 3600,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    const { retentionDays } = this.config.devices;
    await attemptAll(
      await this.queries.appIds(retentionDays),
      async (appId) => {
        const deleteBatch = (limit: number) => this.queries.deleteExpired(appId, retentionDays, limit);
        const deleted = await deleteInBatches(BATCH, deleteBatch);
        if (deleted > 0) this.logger.log({ appId, deleted }, 'Retention deleted devices of an app');
      },
      (err, appId) => this.logger.error({ err, appId }, 'Retention failed for devices of an app'),
    );
  }
}
