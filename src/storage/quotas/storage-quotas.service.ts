import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { sql, sqlCount } from '../../database/sql.js';

/** Bytes of a gigabyte, as settings count them. */
export const GIGABYTE = 1_000_000_000;
/** How long a sum is used before files are added up again, in milliseconds. */
const SUM_KEPT_FOR = 10_000;
const SUMS_KEPT = 1000;

/** What an organization stores. */
export interface StorageUsage {
  /** Different files, with those that are generated. */
  readonly files: number;
  /**
   * Their bytes, with those of their compressed variants and of the parts of unfinished uploads. Content that several bundles
   * share counts once.
   */
  readonly sizeInBytes: number;
  /** How many bytes it may store; `null`: there is no limit. */
  readonly quotaInBytes: number | null;
}

/** Content that is about to be stored. */
export interface NewContent {
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeInBytes: number;
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

  constructor(private readonly config: Config) {}

  /** What the organization stores now. Its files are added up. @throws NotFoundError for an unknown organization */
  async usage(organizationId: string): Promise<StorageUsage> {
    const quotaInBytes = await this.quotaOf(organizationId);
    return { ...(await addUp(organizationId)), quotaInBytes };
  }

  /**
   * Checks that the organization may store more, and this content if it is known. Content that it stores already needs
   * no room.
   *
   * @throws ForbiddenError `storage_quota_exceeded`
   */
  async requireRoom(organizationId: string, content: NewContent | null): Promise<void> {
    await this.room(organizationId, content);
  }

  /**
   * Like `requireRoom`, for content that is stored next: it counts from now on, until files are added up again.
   *
   * @param freedBytes what is deleted for it, such as the parts that it was joined of
   * @throws ForbiddenError `storage_quota_exceeded`
   */
  async takeRoom(organizationId: string, content: NewContent, freedBytes = 0): Promise<void> {
    const sum = await this.room(organizationId, content, freedBytes);
    if (sum !== null) sum.sizeInBytes += content.sizeInBytes - freedBytes;
  }

  /** Counts bytes that were stored without `takeRoom`, until files are added up again. */
  addStored(organizationId: string, sizeInBytes: number): void {
    const sum = this.sums.get(organizationId);
    if (sum !== undefined) sum.sizeInBytes += sizeInBytes;
  }

  /** @returns the sum to add the content to; `null`: none */
  private async room(
    organizationId: string,
    content: NewContent | null,
    freedBytes = 0,
  ): Promise<Sum | null> {
    const quota = await this.quotaOf(organizationId);
    if (quota === null) return null;
    if (content !== null && (await isStored(organizationId, content))) return null;
    const sum = await this.sumOf(organizationId);
    const isFull =
      content === null
        ? sum.sizeInBytes >= quota
        : sum.sizeInBytes - freedBytes + content.sizeInBytes > quota;
    if (isFull) throw quotaExceeded(sum.sizeInBytes, quota);
    return sum;
  }

  private async sumOf(organizationId: string): Promise<Sum> {
    const known = this.sums.get(organizationId);
    if (known !== undefined) return known;
    const { sizeInBytes } = await addUp(organizationId);
    const sum = { sizeInBytes };
    // Another request may have been faster, and added to its sum.
    const faster = this.sums.get(organizationId);
    if (faster === undefined) this.sums.set(organizationId, sum);
    return faster ?? sum;
  }

  /**
   * Sets the limit of an organization.
   *
   * @param sizeInBytes 0: no limit; `null`: the one of `ORGANIZATION_STORAGE_GIGABYTES`
   * @throws NotFoundError for an unknown organization
   */
  async set(organizationId: string, sizeInBytes: number | null): Promise<void> {
    const changed = await sqlCount('UPDATE organizations SET storage_quota_in_bytes = $2 WHERE id = $1', [
      organizationId,
      sizeInBytes,
    ]);
    if (changed === 0) throw new NotFoundError('Organization');
  }

  private async quotaOf(organizationId: string): Promise<number | null> {
    const [organization] = await sql<{ quota: number | null }>(
      'SELECT storage_quota_in_bytes AS quota FROM organizations WHERE id = $1',
      [organizationId],
    );
    if (organization === undefined) throw new NotFoundError('Organization');
    const quota = organization.quota ?? this.config.storage.gigabytesPerOrganization * GIGABYTE;
    return quota === 0 ? null : quota;
  }
}

/** Bytes of an organization with a limit, and what this process has added since they were read. */
interface Sum {
  sizeInBytes: number;
}

async function addUp(organizationId: string): Promise<Pick<StorageUsage, 'files' | 'sizeInBytes'>> {
  const [sum] = await sql<{ files: number; sizeInBytes: number }>(
    `SELECT count(*)::int AS files,
            (coalesce(sum(size_in_bytes), 0) + (
              SELECT coalesce(sum(variant.size_in_bytes), 0) FROM blob_variants AS variant
                JOIN blobs AS compressed ON compressed.id = variant.blob_id WHERE compressed.organization_id = $1
            ) + (
              SELECT coalesce(sum(part.size_in_bytes), 0) FROM upload_parts AS part
                JOIN uploads AS upload ON upload.id = part.upload_id WHERE upload.organization_id = $1
            ))::bigint AS "sizeInBytes"
       FROM blobs WHERE organization_id = $1`,
    [organizationId],
  );
  return sum ?? { files: 0, sizeInBytes: 0 };
}

async function isStored(organizationId: string, { sha256, sizeInBytes }: NewContent): Promise<boolean> {
  const rows = await sql<object>(
    'SELECT FROM blobs WHERE organization_id = $1 AND sha256 = $2 AND size_in_bytes = $3',
    [organizationId, sha256, sizeInBytes],
  );
  return rows.length > 0;
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
