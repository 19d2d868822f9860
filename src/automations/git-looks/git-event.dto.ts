import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import {
  type GitEvent,
  type GitEventOutcome,
  gitEventOutcomes,
  type SkipReason,
  skipReasons,
} from './git-event.entity.js';

/** What an automation has made of a change of the repository. */
@ApiExample({ outcome: 'built', reason: null, message: null, appBuildId: exampleId('Build') })
export class GitEventDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** `null`: the push was for no automation. */
  @ApiId()
  appAutomationId!: string | null;

  /**
   * The branch or tag; `null`: more than one, with the reason `limit`, or any, with `rights_lost`.
   * @example 'refs/heads/main'
   */
  gitRef!: string | null;

  /** The commit that it leads to now. */
  gitCommitSha!: string | null;

  /** Whether a person has asked for the build; otherwise the server found the change. */
  isRequested!: boolean;

  @ApiProperty({ enum: gitEventOutcomes, enumName: 'GitEventOutcome' })
  outcome!: GitEventOutcome;

  /**
   * Why nothing was started. `skip_ci`: the message of the commit has `[skip ci]`; `message_pattern`: it does not match;
   * `message_unknown`: the server does not say it; `limit`: too many refs changed at once; `ref_not_allowed`: what the
   * build uses is not for this ref; `pattern`: no automation matches the ref; `same_commit`: it leads to a commit that was
   * decided before; `rights_lost`: the automation has stopped; `refused`: as `message` says.
   */
  @ApiProperty({ enum: [...skipReasons, null], type: String, nullable: true })
  reason!: SkipReason | null;

  /** The reason in a sentence. */
  message!: string | null;

  @ApiId()
  appBuildId!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** The response for a git event. */
export function toGitEventDto(event: GitEvent): GitEventDto {
  return {
    id: event.id,
    appId: event.appId,
    appAutomationId: event.automationId,
    gitRef: event.ref,
    gitCommitSha: event.commitSha,
    isRequested: event.isRequested,
    outcome: event.outcome,
    reason: event.reason,
    message: event.message,
    appBuildId: event.buildId,
    createdAt: event.createdAt.toISOString(),
  };
}

/** What an automation is to build. */
export class RunAutomationDto {
  /**
   * The branch or tag, which the automation must match: a name, or in full. Its newest commit is built.
   * @example 'main'
   */
  @Matches(/\S/, { message: '$property must not be empty.' })
  @IsText(255)
  gitRef!: string;
}

/** A branch or tag that leads to another commit, and that an automation matches. */
export class GitPushEventDto {
  @ApiId()
  appId!: string;

  /** @example 'refs/heads/main' */
  gitRef!: string;

  /** @example '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12' */
  gitCommitSha!: string;

  /**
   * `null`: the server does not say it.
   * @example 'Sell gift cards'
   */
  gitCommitMessage!: string | null;
}

/** A build that an automation has started. */
export class AutomationStartedEventDto {
  @ApiId()
  appAutomationId!: string;

  /** @example 'Deploy main' */
  appAutomationName!: string;

  @ApiId()
  appBuildId!: string;

  /** @example 'refs/heads/main' */
  gitRef!: string;

  /** @example '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12' */
  gitCommitSha!: string;
}

/** An automation that has built none of many changes. */
export class AutomationLimitedEventDto {
  @ApiId()
  appAutomationId!: string;

  /** @example 'Deploy main' */
  appAutomationName!: string;

  /** Id of the user who gets the mail: the one who saved the automation last. */
  @ApiId()
  userId!: string | null;

  /** Branches and tags that have changed at once. */
  @ApiProperty({ type: 'integer', minimum: 11, example: 40 })
  changes!: number;
}
