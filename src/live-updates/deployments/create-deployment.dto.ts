import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsComment } from '../../common/validation/comment.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsReleaseNotes } from '../../native-builds/builds/release-notes.decorator.js';
import { EmergencyInputDto, IsEmergency } from './emergency.dto.js';

/** A new deployment of a build, to a channel or to a destination in a store. An id wins over a name. */
@ApiExample({ appChannelId: exampleId('Channel') })
export class CreateDeploymentDto {
  /** The build: for a channel a web build whose bundle is ready, for a destination one of its platform that has succeeded. */
  @IsId()
  appBuildId!: string;

  /** The channel. */
  @IsNullable()
  @IsId()
  appChannelId?: string | null;

  /**
   * The channel by name, ignoring case.
   * @example 'production'
   */
  @IsNullable()
  @IsName()
  appChannelName?: string | null;

  /** The destination, of native builds. Requires `submissions:write`. */
  @IsNullable()
  @IsId()
  appDestinationId?: string | null;

  /** The destination by name, among those of the platform of the build. */
  @IsNullable()
  @IsName()
  appDestinationName?: string | null;

  /**
   * Share of devices that receive the build, 0 to 1; for a destination the share of users, above 0. `null` or absent: all.
   */
  @IsNullable()
  @IsShare()
  rolloutPercentage?: number | null;

  /** Delivers or submits it without approvals, even during a freeze. Requires the permission `deployments:override`. */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;

  /** For channels: what is new, at most 4,000 characters. Devices do not get it. */
  @IsNullable()
  @IsText(4000)
  notes?: string | null;

  /**
   * For channels: `seen` keeps it from native versions above the highest one of each platform that devices have now, such as
   * one that a store is about to release with newer web code. A version is seen when at least five devices (all, where there
   * are fewer) and 0.1 % of the active ones of its platform report it, on two days. The value is stored with the deployment;
   * a later deployment of the build does not have it. A platform without such versions gets no maximum and a warning; without
   * any the request is refused. `null` or absent: no maximum.
   */
  @IsNullable()
  @ApiProperty({ enum: ['seen'], nullable: true, required: false })
  @IsIn(['seen'], { message: '$property must be seen.' })
  maxNativeVersion?: 'seen' | null;

  /** Comment for people, at most 1,000 characters, such as why it is a roll-back. */
  @IsComment()
  comment?: string | null;

  /**
   * For destinations: texts by locale; `default` is for the default language. At most 500 characters each for Google Play
   * and Huawei, 4,000 for other stores. `null` or absent: those of the build. Deployments to channels have none.
   */
  @IsReleaseNotes()
  releaseNotes?: Record<string, string> | null;

  /** For Google Play: how urgent the update is for apps that ask, from 0 to 5; `null` or absent: 0. */
  @IsNullable()
  @IsWholeNumber(0, 5)
  inAppUpdatePriority?: number | null;

  /** For Google Play: cancels a review of the app that runs. Without it, the submission fails then. */
  @IsNullable()
  @IsBoolean({ message: '$property must be true or false.' })
  cancelRunningReview?: boolean | null;

  /** For destinations: the file may be signed with another key than the last release. */
  @IsNullable()
  @IsBoolean({ message: '$property must be true or false.' })
  acceptNewSigner?: boolean | null;

  /**
   * For destinations with the `appleReleaseType` `scheduled`: when the version goes live at the earliest, a whole hour in
   * UTC in the future. Also accepts Unix milliseconds.
   */
  @IsNullable()
  @IsDateInput()
  appleEarliestReleaseDate?: Date | null;

  /** For destinations: submits the version again that was submitted there before. */
  @IsNullable()
  @IsBoolean({ message: '$property must be true or false.' })
  force?: boolean | null;
}
