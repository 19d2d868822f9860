import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import { unavailableReason } from '../../database/outages/unavailable.js';
import { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { StorageQuotasService } from '../../storage/uploads/storage-quotas.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { storageQuotaNear } from './storage-quota.events.js';

/** In percent of the quota, the strictest last. */
const QUOTA_THRESHOLDS = [80, 95, 100] as const;

/**
 * A threshold counts as no longer crossed this many points below it, so that a sum that swings makes no second event.
 */
const HYSTERESIS = 5;

const KIND = 'storage-quota';
/** Organizations that one statement finds. */
const BATCH = 500;

/** Records events of organizations that store nearly as much as they may: each adds up its files. */
@Injectable()
export class StorageQuotaWatch implements OnModuleInit {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly quotas: StorageQuotasService,
    private readonly conditions: EventConditionsQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'storage-quotas',
      cron: '*/15 * * * *',
      timeoutSeconds: 600,
      retryLimit: 0,
      run: () => this.run(),
    });
  }

  /** One that cannot be added up, such as within the time of a statement, does not hold up the others. */
  private async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | null = null, found = BATCH; found === BATCH;) {
      const ids: string[] = await this.organizations.listIds(after, BATCH);
      for (const id of ids) {
        await this.look(id).catch((error: unknown) => {
          if (unavailableReason(error) !== null) throw error;
          failures.push(error);
        });
      }
      found = ids.length;
      after = ids.at(-1) ?? null;
    }
    if (failures.length > 0)
      throw new AggregateError(failures, 'The files of organizations were not added up.');
  }

  private async look(organizationId: string): Promise<void> {
    const usage = await this.usageOf(organizationId);
    const share = usage === null ? 0 : usage.sizeInBytes / usage.quotaInBytes;
    const over = thresholdsThatAreOver(share).map(String);
    if (over.length > 0) await this.conditions.clear(organizationId, KIND, over);
    const crossed = crossedThresholds(share);
    const threshold = crossed.at(-1);
    if (usage === null || threshold === undefined) return;
    const { sizeInBytes, quotaInBytes } = usage;
    const data = { sizeInBytes, quotaInBytes, usedPercent: Math.floor(100 * share), threshold };
    const happening = { organizationId, objectId: organizationId, data };
    await this.thresholds.cross(storageQuotaNear, KIND, crossed.map(String), happening);
  }

  /** @returns `null`: it has no limit, or was deleted */
  private async usageOf(
    organizationId: string,
  ): Promise<{ sizeInBytes: number; quotaInBytes: number } | null> {
    try {
      return await this.quotas.limitedUsage(organizationId);
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }
}

/** Those that are crossed, the strictest last. @param share of the quota that is used, 1: all */
export function crossedThresholds(share: number): number[] {
  return QUOTA_THRESHOLDS.filter((threshold) => 100 * share >= threshold);
}

/** Those that are over. @param share of the quota that is used, 1: all; 0: there is no quota */
export function thresholdsThatAreOver(share: number): number[] {
  return QUOTA_THRESHOLDS.filter((threshold) => 100 * share < threshold - HYSTERESIS);
}
