import { ApiProperty } from '@nestjs/swagger';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type ReleaseStatus, releaseStatuses } from '../releases/store-release.entity.js';
import { submissionActions, type SubmissionAction } from '../submissions/submission.entity.js';
import {
  type ReleaseActor,
  releaseActors,
  type ReleaseEvent,
  type ReleaseEventKind,
  releaseEventKinds,
} from './release-event.entity.js';

/** Something that happened to a release. */
export class ReleaseEventDto {
  @ApiId()
  id!: string;

  /**
   * `requested` and `ended` are about an action, `approved`, `approval_withdrawn` and `approval_rejected` about the approvals
   * that the destination requires, `overridden` about an emergency, `finished` about what a person had to do in the store,
   * `status` about where the release is.
   */
  @ApiProperty({ enum: releaseEventKinds, enumName: 'ReleaseEventKind' })
  kind!: ReleaseEventKind;

  /** Who has caused it; `automation` is a build that submits itself. */
  @ApiProperty({ enum: releaseActors, enumName: 'ReleaseActor' })
  actor!: ReleaseActor;

  /** The user; `null`: no user, or the user was deleted. */
  @ApiProperty({ type: UserReferenceDto, nullable: true })
  user!: UserReferenceDto | null;

  /** What was requested, or has ended; `null`: it is about no action. */
  @ApiProperty({ type: 'string', enum: [...submissionActions, null], nullable: true })
  action!: SubmissionAction | null;

  /**
   * The share of users that was requested, or that the release has, from 0 to 1; `null`: it is about no share.
   * @example 0.2
   */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1, nullable: true })
  rolloutPercentage!: number | null;

  /** The new status of the release; `null`: it is the same. */
  @ApiProperty({ type: 'string', enum: [...releaseStatuses, null], nullable: true })
  status!: ReleaseStatus | null;

  /** With `ended`, whether the store has done it; otherwise `null`. */
  hasSucceeded!: boolean | null;

  /** The job of the action; `null`: there is none. */
  @ApiId()
  jobId!: string | null;

  /**
   * One sentence, such as a comment or a reason; `null`: none.
   * @example 'The release is on the track production.'
   */
  message!: string | null;

  /**
   * What the store said, in its words; `null`: nothing.
   * @example 'IN_REVIEW'
   */
  storeMessage!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** Maps an event to the response. */
export function toReleaseEventDto(event: ReleaseEvent, user: UserReferenceDto | null): ReleaseEventDto {
  return {
    id: event.id,
    kind: event.kind,
    actor: event.actor,
    user,
    action: event.action,
    rolloutPercentage: event.userFraction,
    status: event.status,
    hasSucceeded: event.hasSucceeded,
    jobId: event.jobId,
    message: event.message,
    storeMessage: event.storeMessage,
    createdAt: event.createdAt.toISOString(),
  };
}
