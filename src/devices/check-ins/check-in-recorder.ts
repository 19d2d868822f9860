import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { outageLog } from '../../common/errors/outage-log.js';
import { Config } from '../../config/config.js';
import { postgresErrorOf } from '../../database/postgres-error.js';
import { WriteBehind } from '../../database/write-behind.js';
import { CustomIds } from './custom-ids.js';
import { CheckInsQueries } from './check-ins.queries.js';
import { RollbackAnnouncer } from './rollback-announcer.js';
import { type CheckIn, deviceIdOf, type RecordedCheck } from './check-in.js';
import { CheckInBuffer } from './check-in-buffer.js';
import { NewDeviceLimits } from './new-device-limits.js';
import { DeviceStates } from './device-states.js';

/** Milliseconds between a check-in and the statement that writes it: what a crash may lose. */
const WRITTEN_AFTER = 500;
/** Devices that one statement writes. As soon as so many wait, they are written. */
const BATCH = 1000;
/** Milliseconds until the next attempt when the database could not be used. */
const RETRY_AFTER = 1000;
/** Milliseconds in which a process that stops tries again to write what it has acknowledged. */
const STOP_PATIENCE = 15_000;

/**
 * Records the devices that check for updates: first in memory, so that no check waits for the database, and moments later
 * in the database, many at once. A device that cannot be recorded gets its response all the same.
 */
@Injectable()
export class CheckInRecorder extends BackgroundTask {
  private readonly logger = new Logger(CheckInRecorder.name);
  private readonly buffer: CheckInBuffer;
  private readonly states = new DeviceStates();
  /** What is being written. When that fails, it is tried again before what came later. */
  private batch: readonly CheckIn[] = [];
  private readonly writes = new WriteBehind(
    () => this.waiting,
    () => this.writeBatches(),
    WRITTEN_AFTER,
    RETRY_AFTER,
    BATCH,
  );
  private stored = 0;
  private refused = 0;

  constructor(
    private readonly queries: CheckInsQueries,
    private readonly customIds: CustomIds,
    private readonly rollbacks: RollbackAnnouncer,
    private readonly newDevices: NewDeviceLimits,
    { updateChecks }: Config,
  ) {
    super();
    this.buffer = new CheckInBuffer(updateChecks.deviceBufferSize);
  }

  /** Creates or updates the device soon; a channel forced on it stays. */
  record(check: RecordedCheck): void {
    this.buffer.add(
      this.states.of(check),
      check.deviceId,
      check.customId ?? '',
      performance.now(),
      check.connection,
    );
    this.writes.schedule();
  }

  /** Check-ins that are not written yet. */
  get waiting(): number {
    return this.buffer.size + this.batch.length;
  }

  /** Outcomes of the other check-ins since the start. */
  get outcomes(): { written: number; dropped_duplicate: number; dropped: number } {
    const { duplicates, changes } = this.buffer.allDropped;
    return { written: this.stored, dropped_duplicate: duplicates, dropped: changes + this.refused };
  }

  /** Resolves when the check-ins before the call are written, or cannot be. Never rejects. */
  flushed(): Promise<void> {
    return this.writes.flush();
  }

  /** @returns false when the database could not be used */
  private async writeBatches(): Promise<boolean> {
    // Excludes what arrives while it runs: otherwise it might never end.
    for (let left = this.waiting; left > 0;) {
      if (this.batch.length === 0) this.batch = this.buffer.take(BATCH);
      left -= this.batch.length;
      try {
        this.batch = await this.newDevices.dropExcess(this.batch);
        if (this.batch.length > 0) await this.writeBatch(this.batch);
        this.batch = [];
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) outageLog.add(error, 'Check-ins');
        else this.logger.warn({ err: error, devices: this.waiting }, 'Devices could not be recorded yet');
        return false;
      }
    }
    const { duplicates, changes } = this.buffer.takeDropped();
    if (duplicates + changes > 0)
      this.logger.warn({ duplicates, changes }, 'Check-ins were dropped: there were too many');
    return true;
  }

  /** @throws Error when the database cannot be used */
  private async writeBatch(batch: readonly CheckIn[]): Promise<void> {
    try {
      if ((await this.store(batch)) < batch.length) await this.restoreCustomIds(batch);
      this.stored += batch.length;
    } catch (error) {
      const { code } = postgresErrorOf(error);
      if (code === undefined || !REFUSALS.test(code)) throw error;
      // One of them is the reason. The others must not be lost for it.
      const middle = Math.ceil(batch.length / 2);
      if (middle === batch.length) {
        this.refused++;
        this.logger.warn({ err: error, device: batch.map(deviceIdOf)[0] }, 'A device could not be recorded');
      } else for (const half of [batch.slice(0, middle), batch.slice(middle)]) await this.writeBatch(half);
    }
  }

  /** Perhaps an app has changed how it stores custom ids. Writing a check-in twice does no harm. */
  private async restoreCustomIds(batch: readonly CheckIn[]): Promise<void> {
    const withCustomId = batch.filter(({ customId }) => customId !== null);
    if (withCustomId.length === 0) return;
    this.customIds.forget(withCustomId.map(({ state }) => state.appId));
    await this.store(withCustomId);
  }

  private async store(batch: readonly CheckIn[]): Promise<number> {
    const written = await this.queries.write(batch, await this.customIds.toStored(batch));
    const { count, rolledBackAppIds, rolledBackDeviceIds, newAppIds, newDeviceIds } = written;
    // The database announces them, too. This process knows immediately.
    if (rolledBackAppIds !== null && rolledBackDeviceIds !== null)
      await this.rollbacks.notifyLocally(rolledBackAppIds, rolledBackDeviceIds);
    if (newAppIds !== null && newDeviceIds !== null) this.newDevices.count(batch, newAppIds, newDeviceIds);
    return count;
  }

  /** The listener is closed, so no more check-ins arrive; the database is still available. */
  override stop(): Promise<void> {
    return this.writes.stop(STOP_PATIENCE);
  }
}

/** SQLSTATE classes for values that cannot be stored: data exceptions and violated constraints. */
const REFUSALS = /^2[23]/;
