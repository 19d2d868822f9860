import { ApiProperty } from '@nestjs/swagger';
import { ApiTime, ApiId } from '../../common/openapi/api-fields.decorators.js';
import { StoreReleaseDto } from '../releases/store-release.dto.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
import {
  type Submission,
  submissionStates,
  type SubmissionState,
  releaseActions,
  type ReleaseAction,
} from './submission.entity.js';

/** A change of a release that has not ended. */
@ApiExample({ createdBy: { id: exampleId('Colleague'), name: 'Grace Hopper', email: 'grace@example.com' } })
class OpenActionDto {
  @ApiId()
  id!: string;

  @ApiProperty({ enum: releaseActions, enumName: 'ReleaseAction' })
  action!: ReleaseAction;

  /** The job that does it. Cancel the job to cancel the change. */
  @ApiId()
  jobId!: string;

  /**
   * With `set-rollout`, the new share of users, from 0 to 1; otherwise `null`.
   * @example 0.5
   */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  rolloutPercentage!: number | null;

  @ApiProperty({ enum: submissionStates, enumName: 'SubmissionState' })
  state!: SubmissionState;

  /**
   * One sentence, such as what it waits for; `null`: there is nothing to say.
   * @example null
   */
  message!: string | null;

  @ApiTime()
  createdAt!: string;

  /** The user who has requested it; `null`: a rollout plan, or the user was deleted. */
  @ApiProperty({ type: UserReferenceDto, nullable: true })
  createdBy!: UserReferenceDto | null;
}

/** Maps an open change of a release to the response. */
export function toOpenActionDto(change: Submission, createdBy: UserReferenceDto | null): OpenActionDto {
  const { id, jobId, userFraction, state, message, createdAt } = change;
  const action = change.action as ReleaseAction;
  return {
    id,
    action,
    jobId,
    rolloutPercentage: action === 'set-rollout' ? userFraction : null,
    state,
    message,
    createdAt: createdAt.toISOString(),
    createdBy,
  };
}

/** What a submission does to make a release. */
const actions = ['submit', 'promote'] as const;
type Action = (typeof actions)[number];

/** Where a submission to a store is. */
export class SubmissionDto {
  /** `submit` uploads a file and makes a release of it, `promote` makes a release of a file that the store has. */
  @ApiProperty({ enum: actions, enumName: 'SubmissionAction' })
  action!: Action;

  /** `prepared`, `failed`, `failed_with_action_required` and `finished_manually` are final. See `job` for its work. */
  @ApiProperty({ enum: submissionStates, enumName: 'SubmissionState' })
  state!: SubmissionState;

  /**
   * One sentence about the state; `null`: there is nothing to say.
   * @example 'The release is on the track internal.'
   */
  message!: string | null;

  /**
   * Where a person goes on; `null`: there is nothing to do.
   * @example 'https://play.google.com/console'
   */
  link!: string | null;

  /** What the store calls it, such as the package and the edit. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { packageName: 'com.example.shop', editId: '05123456789012345678' },
  })
  storeIds!: Record<string, string>;

  /**
   * The track of Google Play; `null`: the store has none.
   * @example 'internal'
   */
  track!: string | null;

  /**
   * The version that the store compares.
   * @example '42'
   */
  versionCode!: string;

  /**
   * Share of users who get the release at first, from 0 to 1. See `release` for the present one.
   * @example 1
   */
  rolloutPercentage!: number;

  /** Where the release is; `null`: the store does not have it yet, or Slipway has made it before it followed releases. */
  @ApiProperty({ type: StoreReleaseDto, nullable: true })
  release!: StoreReleaseDto | null;

  /** The change of the release that has not ended; `null`: there is none. */
  @ApiProperty({ type: OpenActionDto, nullable: true })
  openAction!: OpenActionDto | null;

  @ApiTime()
  updatedAt!: string;
}

/** Maps a submission to the response. @param submission that makes a release */
export function toSubmissionDto(
  submission: Submission,
  { release, openAction }: Pick<SubmissionDto, 'release' | 'openAction'>,
): SubmissionDto {
  return {
    action: submission.action as Action,
    state: submission.state,
    message: submission.message,
    link: submission.link,
    storeIds: {
      packageName: submission.packageName,
      ...storeIdsOf(submission),
    },
    track: submission.track,
    versionCode: submission.versionCode,
    rolloutPercentage: submission.userFraction,
    release,
    openAction,
    updatedAt: submission.updatedAt.toISOString(),
  };
}

/** What stores call things of a submission: members of `external`. */
const STORE_IDS = [
  'editId',
  'appleAppId',
  'buildUploadId',
  'buildId',
  'versionId',
  'reviewSubmissionId',
] as const;

function storeIdsOf({ external }: Submission): Record<string, string> {
  return Object.fromEntries(
    STORE_IDS.flatMap((name) => {
      const id = external[name];
      return typeof id === 'string' ? [[name, id] as const] : [];
    }),
  );
}
