import { ApiProperty } from '@nestjs/swagger';
import { ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type ReleaseStatus, releaseStatuses, type StoreRelease } from './store-release.entity.js';

/** Where a release is in its store. Slipway asks the store again and again: `lookedAt` says when it last did. */
export class StoreReleaseDto {
  @ApiProperty({ enum: releaseStatuses, enumName: 'StoreReleaseStatus' })
  status!: ReleaseStatus;

  /** When the status began, as far as Slipway knows. */
  @ApiTime()
  since!: string;

  /**
   * Share of users who get it, from 0 to 1; `null`: unknown.
   * @example 0.05
   */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  rolloutPercentage!: number | null;

  /** The share that it had before it was paused or halted, from 0 to 1; `null`: it is neither. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  resumePercentage!: number | null;

  /**
   * The status in the word of the store; `null`: the store has none.
   * @example 'IN_REVIEW'
   */
  storeStatus!: string | null;

  /**
   * One sentence: what the status means, and what you have to do, if anything.
   * @example 'Google reviews the release.'
   */
  message!: string;

  /**
   * The page of the store that shows it; `null`: there is none.
   * @example 'https://play.google.com/console'
   */
  link!: string | null;

  /** When the store last said where it is; `null`: not since the submission. */
  @ApiTime()
  lookedAt!: string | null;

  /**
   * Why the store did not say it when Slipway last asked; `null`: it did.
   * @example null
   */
  lookError!: string | null;

  /** When Slipway asks the store next; `null`: it has stopped. */
  @ApiTime()
  nextLookAt!: string | null;
}

/** Maps a release to the response. */
export function toStoreReleaseDto(release: StoreRelease): StoreReleaseDto {
  return {
    status: release.status,
    since: release.statusSince.toISOString(),
    rolloutPercentage: release.userFraction,
    resumePercentage: release.resumeFraction,
    storeStatus: release.storeStatus,
    message: release.message,
    link: release.link,
    lookedAt: release.lookedAt?.toISOString() ?? null,
    lookError: release.lookError,
    nextLookAt: release.nextLookAt?.toISOString() ?? null,
  };
}
