import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { sql, sqlCount } from '../../database/sql.js';

const QUEUE: QueueDefinition = {
  name: 'device-retention',
  retryLimit: 3,
  retryDelay: 60,
  retryDelayMax: 600,
  expireInSeconds: 3600,
};

/** At 01:20, when the day before has been counted. */
const DAILY = '20 1 * * *';
/** Devices that one statement deletes. */
const BATCH = 1000;

/** Deletes devices that were not seen for as long as their app says, or else the configuration. */
@Injectable()
export class DeviceRetentionService implements OnModuleInit {
  private readonly logger = new Logger(DeviceRetentionService.name);

  constructor(
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.queue.handleEvery(QUEUE, DAILY, () => this.deleteExpired());
  }

  private async deleteExpired(): Promise<void> {
    const apps = await sql<{ id: string }>(
      'SELECT id FROM apps WHERE coalesce(device_retention_days, nullif($1, 0)) IS NOT NULL ORDER BY id',
      [this.config.devices.retentionDays],
    );
    for (const { id } of apps) {
      const deleted = await this.deleteOfApp(id);
      if (deleted > 0)
        this.logger.log({ appId: id, deleted }, 'Devices that were not seen any more were deleted');
    }
  }

  private async deleteOfApp(appId: string): Promise<number> {
    for (let total = 0; ;) {
      const deleted = await this.deleteBatch(appId);
      total += deleted;
      if (deleted < BATCH) return total;
    }
  }

  /** The condition stands twice: a device may be seen while its deletion waits for that. */
  private deleteBatch(appId: string): Promise<number> {
    return sqlCount(
      `WITH app AS (
         SELECT id, now() - make_interval(days => coalesce(device_retention_days, nullif($2, 0))) AS seen_since
           FROM apps WHERE id = $1
       ), expired AS (
         SELECT device.id FROM devices AS device JOIN app ON app.id = device.app_id
          WHERE device.last_seen_at < app.seen_since
          ORDER BY device.last_seen_at LIMIT ${BATCH}
       )
       DELETE FROM devices AS device USING app, expired
        WHERE device.app_id = app.id AND device.id = expired.id AND device.last_seen_at < app.seen_since`,
      [appId, this.config.devices.retentionDays],
    );
  }
}
