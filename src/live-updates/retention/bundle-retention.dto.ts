import { ApiProperty } from '@nestjs/swagger';
import { databaseNow } from '../../common/database-clock.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type BundleType, bundleTypes } from '../bundles/bundle.entity.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import type { KeptReason, PlannedBundle } from './retention.queries.js';
import { keptReasons } from './retention-plan.js';

const DAY = 86_400_000;

const reasonProperty = { enum: keptReasons, enumName: 'BundleRetentionReason' } as const;

/** Bundles that are kept for one reason. */
export class KeptBundlesDto {
  /**
   * The first that applies: `legal-hold`; `approval`: it waits for one; `delivered`: some device may be offered it;
   * `rollback`: it would be offered if another build was withdrawn; `rollout-plan`: one is not over; `no-retention`: a
   * channel, or the app, keeps all; `newest`: it is one of the newest of a channel; `device`: one runs it.
   */
  @ApiProperty(reasonProperty)
  reason!: KeptReason;

  /** How many. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  bundles!: number;

  /** Bytes of all their files; files that several have count for each. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sizeInBytes!: number;
}

/** What retention would delete of an app, and what it keeps. */
export class BundleRetentionDto {
  /** How many of the newest bundles of each channel are kept, unless the channel has its own setting; `null`: all. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1 })
  bundleRetentionCount!: number | null;

  /** Days between the time when a bundle is first found to be needed by nothing, and its deletion. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  graceDays!: number;

  /** Bundles that nothing needs: they will be deleted when the grace period is over. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  expiringBundles!: number;

  /** Bytes that their deletion frees: not those of files that other bundles have, too. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  freedSizeInBytes!: number;

  /** Why the others are kept. */
  @ApiProperty({ type: [KeptBundlesDto] })
  kept!: KeptBundlesDto[];
}

/** Whether retention keeps a bundle. */
export class RetainedBundleDto {
  @ApiId()
  appBundleId!: string;

  @ApiId()
  appBuildId!: string;

  /** Number of the build in its app. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  appBuildNumber!: number;

  @ApiProperty({ enum: bundleTypes, enumName: 'BundleType' })
  artifactType!: BundleType;

  /** Bytes of all files, also of those that other bundles have, too. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sizeInBytes!: number;

  /** Why it is kept; `null`: it will be deleted. After its expiry, only `legal-hold` and `device` keep it. */
  @ApiProperty({ type: 'string', enum: [...keptReasons, null], nullable: true })
  reason!: KeptReason | null;

  /** Earliest deletion, if nothing needs it until then; `null`: it is kept. */
  @ApiTime()
  expiresAt!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** The response for a bundle. @param graceDays the grace period */
export function toRetainedBundleDto(bundle: PlannedBundle, graceDays: number): RetainedBundleDto {
  return {
    appBundleId: bundle.bundleId,
    appBuildId: bundle.buildId,
    appBuildNumber: bundle.buildNumber,
    artifactType: bundle.artifactType,
    sizeInBytes: bundle.sizeInBytes,
    reason: bundle.reason,
    expiresAt: expiresAt(bundle, graceDays)?.toISOString() ?? null,
    createdAt: bundle.createdAt.toISOString(),
  };
}

/** Before when a bundle is not deleted; `null`: it is kept. One that no run has found yet is found by the next one. */
export function expiresAt(
  { reason, unneededSince, expiredAt }: PlannedBundle,
  graceDays: number,
): Date | null {
  if (reason !== null) return null;
  if (expiredAt !== null) return new Date(expiredAt.getTime() + DAY);
  return new Date((unneededSince ?? databaseNow()).getTime() + graceDays * DAY);
}

const retentionStatuses = ['expiring', 'kept'] as const;
type RetentionStatus = (typeof retentionStatuses)[number];

/** Which bundles to list. */
export class ListRetainedBundlesQuery extends PageQuery {
  /** Only bundles with this status. `expiring`: nothing needs them. */
  @IsEmptyOr()
  @IsOneOf(retentionStatuses, 'BundleRetentionStatus')
  status?: RetentionStatus;

  /** Only bundles kept for this reason. */
  @IsEmptyOr()
  @IsOneOf(keptReasons, 'BundleRetentionReason')
  reason?: KeptReason;
}
