import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { outsideTransaction } from '../../database/transaction.js';
import { postgresErrorOf } from '../../database/postgres-error.js';
import { CustomIds } from './custom-ids.js';
import { CheckInsQueries } from './check-ins.queries.js';
import type { RecordedCheck } from './check-in.js';
import { CheckInBuffer } from './check-in-buffer.js';
import { DeviceStates } from './device-states.js';

/** Milliseconds between a sighting and the statement that writes it: what a crash may lose. */
const WRITTEN_AFTER = 500;
/** Devices that one statement writes. So many are written at once. */
const BATCH = 1000;
/** Milliseconds after which it is tried again when the database could not be used. */
const RETRY_AFTER = 1000;

/**
 * Remembers the devices that ask: in memory at first, so that no check waits for it, and moments later in the database,
 * many at once. A device that cannot be remembered is served all the same.
 */
@Injectable()
export class CheckInRecorder implements OnApplicationShutdown {
  private readonly logger = new Logger(CheckInRecorder.name);
  private readonly buffer: CheckInBuffer;
  private readonly states = new DeviceStates();
  /** Slots of the buffer: what is being written, and is tried again when that fails, before what came later. */
  private batch: readonly number[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | null = null;
  /** Whether the database could not be used the last time. */
  private failing = false;
  private stored = 0;
  private refused = 0;

  constructor(
    private readonly queries: CheckInsQueries,
    private readonly customIds: CustomIds,
    { updateChecks }: Config,
  ) {
    this.buffer = new CheckInBuffer(updateChecks.deviceBufferSize + BATCH);
  }

  /** The device is created or updated soon; a channel forced on it stays. */
  record(check: RecordedCheck): void {
    this.buffer.add(this.states.of(check), check.deviceId, check.customId ?? '', performance.now());
    this.schedule();
  }

  /** Sightings that are not written yet. */
  get waiting(): number {
    return this.buffer.size + this.batch.length;
  }

  /** What became of the others since the start. */
  get outcomes(): { written: number; dropped_repeat: number; dropped: number } {
    const { repeats, news } = this.buffer.allDropped;
    return { written: this.stored, dropped_repeat: repeats, dropped: news + this.refused };
  }

  /** Resolves when what was seen before the call is written, or cannot be. Never rejects. */
  async flushed(): Promise<void> {
    await this.writing;
    if (this.waiting > 0) await this.write();
  }

  private schedule(): void {
    if (this.writing !== null || this.waiting === 0) return;
    if (this.waiting >= BATCH && !this.failing) void this.write();
    else
      this.timer ??= setTimeout(() => void this.write(), this.failing ? RETRY_AFTER : WRITTEN_AFTER).unref();
  }

  /** Writes what is in the buffer now, unless that is being done. */
  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    // Not as a part of the transaction of the request that happens to have been the last one.
    this.writing ??= outsideTransaction(() => this.writeBatches()).then((done) => {
      this.writing = null;
      this.failing = !done;
      this.schedule();
    });
    return this.writing;
  }

  /** @returns false when the database could not be used */
  private async writeBatches(): Promise<boolean> {
    // Not what comes meanwhile, or there might be no end.
    for (let left = this.waiting; left > 0;) {
      if (this.batch.length === 0) this.batch = this.buffer.take(BATCH);
      left -= this.batch.length;
      try {
        await this.writeBatch(this.batch);
        this.batch = [];
        this.buffer.release();
      } catch (error) {
        this.logger.warn({ err: error, devices: this.waiting }, 'Devices could not be remembered yet');
        return false;
      }
    }
    const { repeats, news } = this.buffer.takeDropped();
    if (repeats + news > 0)
      this.logger.warn({ repeats, news }, 'Sightings of devices were left out: there were too many');
    return true;
  }

  /** @throws Error when the database cannot be used */
  private async writeBatch(batch: readonly number[]): Promise<void> {
    try {
      if ((await this.store(batch)) < batch.length) await this.storeCustomIdsAnew(batch);
      this.stored += batch.length;
    } catch (error) {
      const { code } = postgresErrorOf(error);
      if (code === undefined || !REFUSALS.test(code)) throw error;
      // One of them is the reason; the others shall not be lost for it.
      const middle = Math.ceil(batch.length / 2);
      if (middle === batch.length) {
        this.refused++;
        const [device] = batch.map((slot) => this.buffer.at(slot).deviceId);
        this.logger.warn({ err: error, device }, 'A device could not be remembered');
      } else for (const half of [batch.slice(0, middle), batch.slice(middle)]) await this.writeBatch(half);
    }
  }

  /** Perhaps an app keeps custom ids otherwise now. What was written already may be written again. */
  private async storeCustomIdsAnew(batch: readonly number[]): Promise<void> {
    const withCustomId = batch.filter((slot) => this.buffer.at(slot).customId !== null);
    if (withCustomId.length === 0) return;
    this.customIds.forget(withCustomId.map((slot) => this.buffer.at(slot).state.appId));
    await this.store(withCustomId);
  }

  private async store(batch: readonly number[]): Promise<number> {
    const sightings = batch.map((slot) => this.buffer.at(slot));
    return this.queries.write(sightings, await this.customIds.toStored(sightings));
  }

  /** The listener is closed, so nobody asks any more; the database is still there. */
  async onApplicationShutdown(): Promise<void> {
    await this.flushed();
    clearTimeout(this.timer);
  }
}

/** SQLSTATE classes for values that cannot be stored: data exceptions and violated constraints. */
const REFUSALS = /^2[23]/;
