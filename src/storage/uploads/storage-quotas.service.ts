import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { type NewContent, StorageQuotasQueries, type StorageSum } from './storage-quotas.queries.js';

/** Bytes of a gigabyte, as settings count them. */
export const GIGABYTE = 1_000_000_000;
/** How long a sum is used before files are added up again, in milliseconds. */
const SUM_KEPT_FOR = 10_000;
const SUMS_KEPT = 1000;

/** What an organization stores, and may store. */
export interface StorageUsage extends StorageSum {
  /** How many bytes it may store; `null`: there is no limit. */
  readonly quotaInBytes: number | null;
}

/**
 * Limits what an organization stores. Uploads are refused at the limit; what the server makes of stored files (variants,
 * deltas, zips) counts, but is never refused. A sum is up to ten seconds old, so several processes together may exceed
 * the limit by what the others store in that time.
 */
@Injectable()
export class StorageQuotasService {
  private readonly sums = new LRUCache<string, Sum>({
    max: SUMS_KEPT,
    ttl: SUM_KEPT_FOR,
  });

  constructor(
    private readonly config: Config,
    private readonly queries: StorageQuotasQueries,
  ) {}

  /** What the organization stores now. Its files are added up. @throws NotFoundError for an unknown organization */
  async usage(organizationId: string): Promise<StorageUsage> {
    const quotaInBytes = await this.quotaOf(organizationId);
    return { ...(await this.queries.addUp(organizationId)), quotaInBytes };
  }

  /**
   * As `usage`, and `null` when there is no limit: then no files are added up.
   *
   * @throws NotFoundError for an unknown organization
   */
  async limitedUsage(
    organizationId: string,
  ): Promise<(StorageSum & { readonly quotaInBytes: number }) | null> {
    const quotaInBytes = await this.quotaOf(organizationId);
    return quotaInBytes === null ? null : { ...(await this.queries.addUp(organizationId)), quotaInBytes };
  }

  /**
   * Checks that the organization may store more, and this content if it is given. Content that it stores already needs
   * no room.
   *
   * @throws ForbiddenError `storage_quota_exceeded`
   */
  async requireRoom(organizationId: string, content: NewContent | null): Promise<void> {
    const quota = await this.quotaOf(organizationId);
    if (quota === null) return;
    if (content !== null && (await this.queries.isStored(organizationId, content))) return;
    const { sizeInBytes } = await this.sumOf(organizationId);
    const isFull = content === null ? sizeInBytes >= quota : sizeInBytes + content.sizeInBytes > quota;
    if (isFull) throw quotaExceeded(sizeInBytes, quota);
  }

  /**
   * Stores content within the quota. It counts from now on, unless `store` fails.
   *
   * @param freedBytes what `store` deletes, such as the parts that the content was joined of
   * @throws ForbiddenError `storage_quota_exceeded`
   */
  async charge<R>(
    organizationId: string,
    content: NewContent,
    freedBytes: number,
    store: () => Promise<R>,
  ): Promise<R> {
    const quota = await this.quotaOf(organizationId);
    if (quota === null) return store();
    const isStored = await this.queries.isStored(organizationId, content);
    const sum = await this.sumOf(organizationId);
    const addedBytes = (isStored ? 0 : content.sizeInBytes) - freedBytes;
    if (!isStored && sum.sizeInBytes + addedBytes > quota) throw quotaExceeded(sum.sizeInBytes, quota);
    sum.sizeInBytes += addedBytes;
    try {
      return await store();
    } catch (error) {
      sum.sizeInBytes -= addedBytes;
      throw error;
    }
  }

  /**
   * Counts bytes that were stored without `charge`, until files are added up again.
   *
   * @param sizeInBytes negative if they were deleted
   */
  count(organizationId: string, sizeInBytes: number): void {
    const sum = this.sums.get(organizationId);
    if (sum !== undefined) sum.sizeInBytes += sizeInBytes;
  }

  private async sumOf(organizationId: string): Promise<Sum> {
    const known = this.sums.get(organizationId);
    if (known !== undefined) return known;
    const { sizeInBytes } = await this.queries.addUp(organizationId);
    const sum = { sizeInBytes };
    // Another request may have been faster, and added to its sum.
    const faster = this.sums.get(organizationId);
    if (faster === undefined) this.sums.set(organizationId, sum);
    return faster ?? sum;
  }

  /** @returns `null`: there is no limit @throws NotFoundError for an unknown organization */
  private async quotaOf(organizationId: string): Promise<number | null> {
    const own = await this.queries.quotaOf(organizationId);
    if (own === undefined) throw new NotFoundError('Organization');
    const quota = own ?? this.config.storage.gigabytesPerOrganization * GIGABYTE;
    return quota === 0 ? null : quota;
  }
}

/** Bytes of an organization with a limit, and what this process has added since they were read. */
interface Sum {
  sizeInBytes: number;
}

function quotaExceeded(stored: number, quota: number): ForbiddenError {
  return new ForbiddenError(
    `The organization stores ${megabytes(stored)} of the ${megabytes(quota)} that it may store: delete bundles, or ask the operator for more.`,
    'storage_quota_exceeded',
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
