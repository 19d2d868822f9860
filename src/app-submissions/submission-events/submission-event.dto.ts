import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { type DestinationType, destinationTypes } from '../destinations/destination.entity.js';
import { type ReleaseStatus, releaseStatuses, type StoreRelease } from '../releases/store-release.entity.js';
import {
  APPROVALS,
  type Submission,
  type SubmissionAction,
  submissionActions,
  type SubmissionState,
  submissionStates,
} from '../submissions/submission.entity.js';
import { type ActionReason, actionReasons } from './action-required.js';

/** What goes to a store, and where to. */
export class SubmittedAppDto {
  /** The deployment that makes the release. */
  @ApiId()
  appDeploymentId!: string;

  @ApiId()
  appDestinationId!: string;

  /**
   * The name of the destination; `null`: it was deleted.
   * @example 'Google Play, production'
   */
  destinationName!: string | null;

  /** The store. */
  @ApiProperty({ enum: destinationTypes, enumName: 'DestinationType' })
  destinationType!: DestinationType;

  /**
   * Application id or bundle id.
   * @example 'com.example.shop'
   */
  packageName!: string;

  /**
   * The version that people see; `null`: the file has none.
   * @example '1.2.0'
   */
  @ApiProperty({ type: 'string', nullable: true })
  versionName!: string | null;

  /**
   * The version that the store compares.
   * @example '42'
   */
  versionCode!: string;

  /**
   * The track of Google Play; `null`: the store has none.
   * @example 'production'
   */
  track!: string | null;
}

/** A submission to a store, or a change of its release, that has another state. */
@ApiExample({ destinationType: 'google-play', state: 'prepared', previousState: 'preparing' })
export class SubmissionStateEventDto extends SubmittedAppDto {
  /** Of a submission that makes a release, the id of the deployment; of a change of a release, its own. */
  @ApiId()
  submissionId!: string;

  @ApiId()
  jobId!: string;

  /** `submit` and `promote` make a release, the others change one. */
  @ApiProperty({ enum: submissionActions, enumName: 'AnySubmissionAction' })
  action!: SubmissionAction;

  @ApiProperty({ enum: submissionStates, enumName: 'SubmissionState' })
  state!: SubmissionState;

  /** The state before; `null`: it is new. */
  @ApiProperty({ type: 'string', enum: [...submissionStates, null], nullable: true })
  previousState!: SubmissionState | null;

  /**
   * One sentence about the state; `null`: there is nothing to say.
   * @example 'The release is on the track production.'
   */
  message!: string | null;

  /** What the store said, in its words; `null`: nothing. */
  storeMessage!: string | null;

  /** Where a person goes on; `null`: there is nothing to do. */
  link!: string | null;
}

/** A release in a store that has another status, or another share of users. */
@ApiExample({ destinationType: 'google-play', status: 'in_review' })
export class ReleaseStatusEventDto extends SubmittedAppDto {
  @ApiProperty({ enum: releaseStatuses, enumName: 'StoreReleaseStatus' })
  status!: ReleaseStatus;

  /** The status before, which may be the same; `null`: the release is new. */
  @ApiProperty({ type: 'string', enum: [...releaseStatuses, null], nullable: true })
  previousStatus!: ReleaseStatus | null;

  /**
   * Share of users who get it, from 0 to 1; `null`: unknown.
   * @example 0.05
   */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  rolloutPercentage!: number | null;

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

  /** The page of the store that shows it; `null`: there is none. */
  link!: string | null;
}

/** A release that waits for a person. */
@ApiExample({ destinationType: 'google-play', link: 'https://play.google.com/console' })
export class ReleaseActionRequiredEventDto extends SubmittedAppDto {
  /**
   * `draft`: finish the draft; `not_sent_for_review`: send it for review; `rejected`: the review has rejected it;
   * `stopped`: the store has stopped its rollout; `manual_release`: it is approved, and you release it; `refused`: the
   * store has refused the submission or the change until you have settled something.
   */
  @ApiProperty({ enum: actionReasons, enumName: 'ReleaseActionReason' })
  reason!: ActionReason;

  /**
   * What you have to do, in a sentence.
   * @example 'The release is a draft: finish it in the Play Console.'
   */
  message!: string;

  /** What the store said, in its words; `null`: nothing. */
  storeMessage!: string | null;

  /** Where you do it; `null`: not known. */
  link!: string | null;
}

/** @param destinationName `null`: it was deleted */
export function toSubmittedAppDto(submission: Submission, destinationName: string | null): SubmittedAppDto {
  const { id, releaseId, destinationId, type, packageName, versionName, versionCode, track } = submission;
  return {
    appDeploymentId: releaseId ?? id,
    appDestinationId: destinationId,
    destinationName,
    destinationType: type,
    packageName,
    versionName,
    versionCode,
    track,
  };
}

/** What the event of a state has of its submission, besides the app. */
export function stateOf(submission: Submission, previousState: SubmissionState | null) {
  const { id: submissionId, jobId, action, state, storeMessage, link } = submission;
  // While it waits for approvals, the sentence names people.
  const message = submission.waitsFor === APPROVALS ? null : submission.message;
  return { submissionId, jobId, action, state, previousState, message, storeMessage, link };
}

/** What the event of a status has of its release, besides the app. @param before `null`: it is new */
export function statusOf(release: StoreRelease, before: StoreRelease | null) {
  const { status, userFraction, storeStatus, message, link } = release;
  return {
    status,
    previousStatus: before?.status ?? null,
    rolloutPercentage: userFraction,
    storeStatus,
    message,
    link,
  };
}
