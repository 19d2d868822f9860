import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { ApiProperty } from '@nestjs/swagger';
import { UserReferenceDto } from '../../accounts/users/user-reference.dto.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  releaseActions,
  type ReleaseAction,
  type Submission,
  submissionStates,
  type SubmissionState,
} from './submission.entity.js';

/** A change of a release that has not ended. */
@ApiExample({ createdBy: { id: exampleId('Colleague'), name: 'Grace Hopper', email: 'grace@example.com' } })
export class OpenActionDto {
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
