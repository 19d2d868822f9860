import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { MAX_DEVICE_ID_LENGTH } from '../check-ins/device-id.js';

export const changes = ['deploy', 'rollout', 'pause', 'resume', 'force', 'delete-bundle'] as const;

/** Most devices that one simulation forces, as one request does. */
const MAX_FORCED = 1000;
/** Most devices that are evaluated. */
const MAX_DEVICES = 1_000_000;

/** A field that these changes need; others ignore it. */
const Of = (...names: (typeof changes)[number][]): PropertyDecorator =>
  ValidateIf(({ change }: CreateSimulationDto) => names.includes(change));

/** A change to simulate. Which fields it needs depends on `change`; others are ignored. */
@ApiExample({ change: 'pause', appChannelId: exampleId('Channel') })
export class CreateSimulationDto {
  /**
   * - `deploy`: a build goes to a channel; also a rollback.
   * - `rollout`: a deployment gets another share.
   * - `pause`, `resume`: a channel stops delivering, or delivers again.
   * - `force`: devices are forced to a channel, or no longer.
   * - `delete-bundle`: a bundle is deleted with its deployments.
   */
  @ApiProperty({ enum: changes, enumName: 'SimulatedChange' })
  @IsIn(changes, { message: `change must be one of ${changes.join(', ')}.` })
  change!: (typeof changes)[number];

  /** `deploy`: the build. */
  @Of('deploy')
  @ApiProperty({ required: false })
  @IsId()
  appBuildId!: string;

  /** `deploy`, `pause`, `resume`: the channel. */
  @Of('deploy', 'pause', 'resume')
  @IsNullable()
  @IsId()
  appChannelId?: string | null;

  /** `deploy`, `pause`, `resume`: the channel by name, ignoring case; the id wins. */
  @Of('deploy', 'pause', 'resume')
  @IsNullable()
  @IsName()
  appChannelName?: string | null;

  /** `rollout`: the deployment. */
  @Of('rollout')
  @ApiProperty({ required: false })
  @IsId()
  appDeploymentId!: string;

  /** `rollout`, `deploy`: share of devices, 0 to 1; with `deploy`, absent or `null`: all. */
  @Of('rollout', 'deploy')
  @ValidateIf(({ change }: CreateSimulationDto, value) => change === 'rollout' || value != null)
  @ApiProperty({ required: false, nullable: true })
  @IsShare()
  rolloutPercentage?: number | null;

  /** `deploy`: `seen` for a deployment to the native versions that devices have now; absent or `null`: to all. */
  @Of('deploy')
  @IsNullable()
  @ApiProperty({ enum: ['seen'], nullable: true, required: false })
  @IsIn(['seen'], { message: 'maxNativeVersion must be seen.' })
  maxNativeVersion?: 'seen' | null;

  /** `delete-bundle`: the bundle. */
  @Of('delete-bundle')
  @ApiProperty({ required: false })
  @IsId()
  bundleId!: string;

  /** `force`: the devices, at most 1,000. */
  @Of('force')
  @ApiProperty({ type: [String], required: false, minItems: 1, maxItems: MAX_FORCED })
  @MaxLength(MAX_DEVICE_ID_LENGTH, { each: true, message: 'deviceIds must be at most 255 characters long.' })
  @IsString({ each: true, message: 'deviceIds must be a list of device ids.' })
  @ArrayMaxSize(MAX_FORCED, { message: `deviceIds must name at most ${MAX_FORCED} devices.` })
  @ArrayMinSize(1, { message: 'deviceIds must name at least one device.' })
  @IsArray({ message: 'deviceIds must be a list of device ids.' })
  deviceIds!: string[];

  /** `force`: the channel; `null`: what the devices ask for. */
  @Of('force')
  @ValidateIf((_object, value) => value !== null)
  @ApiProperty({ required: false, nullable: true })
  @IsId()
  forcedAppChannelId!: string | null;

  /** Only devices seen within this number of days, 1 to 3650. */
  @IsAbsentOr()
  @ApiProperty({ type: 'integer', default: 30 })
  @Min(1, { message: 'seenWithinDays must be an integer from 1 to 3650.' })
  @Max(3650, { message: 'seenWithinDays must be an integer from 1 to 3650.' })
  @IsInt({ message: 'seenWithinDays must be an integer from 1 to 3650.' })
  seenWithinDays: number = 30;

  /** Evaluate at most this number of devices, 1 to 1,000,000; if there are more, a sample. */
  @IsAbsentOr()
  @ApiProperty({ type: 'integer', default: MAX_DEVICES })
  @Min(1, { message: 'maxDevices must be an integer from 1 to 1000000.' })
  @Max(MAX_DEVICES, { message: 'maxDevices must be an integer from 1 to 1000000.' })
  @IsInt({ message: 'maxDevices must be an integer from 1 to 1000000.' })
  maxDevices: number = MAX_DEVICES;
}
