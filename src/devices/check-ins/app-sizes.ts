import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { outsideTransaction } from '../../database/transactions/transaction.js';
import type { CheckInsQueries } from './check-ins.queries.js';

/** Apps whose devices were counted. */
const MAX_APPS = 10_000;
/** Milliseconds after which they are counted again. */
const COUNTED_EVERY = 3_600_000;

interface AppSize {
  /** Devices when they were counted, and those that this process has added since. */
  devices: number;
  /** Unix milliseconds. */
  countedAt: number;
}

/**
 * Knows about how many devices an app has, as far as that matters for a maximum. They are counted in the background, at
 * most once an hour and only in apps that get new devices.
 */
export class AppSizes {
  private readonly logger = new Logger(AppSizes.name);
  private readonly sizes = new LRUCache<string, AppSize>({ max: MAX_APPS });

  /** @param max devices of one app; 0: no limit */
  constructor(
    private readonly queries: Pick<CheckInsQueries, 'countDevices'>,
    private readonly max: number,
  ) {}

  /** Whether the app would have more than the maximum with so many more. */
  isAbove(appId: string, more: number): boolean {
    if (this.max === 0) return false;
    const size = this.sizes.get(appId);
    if (size === undefined || size.devices + more <= this.max) return false;
    this.refresh(appId, size, Date.now());
    return size.devices + more > this.max;
  }

  /** A device of the app was added. @param now Unix milliseconds */
  add(appId: string, now: number): void {
    if (this.max === 0) return;
    let size = this.sizes.get(appId);
    if (size === undefined) this.sizes.set(appId, (size = { devices: 0, countedAt: 0 }));
    size.devices++;
    this.refresh(appId, size, now);
  }

  private refresh(appId: string, size: AppSize, now: number): void {
    if (now - size.countedAt < COUNTED_EVERY) return;
    size.countedAt = now;
    outsideTransaction(() => this.queries.countDevices(appId, this.max)).then(
      (devices) => (size.devices = devices),
      (error: unknown) => this.logger.warn({ err: error, appId }, 'Devices of an app could not be counted'),
    );
  }
}
