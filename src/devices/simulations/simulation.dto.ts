import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type DecisionReason, decisionReasons } from '../channel-decision/decision.js';
import { type ExcludedReason, excludedReasons } from './excluded-devices.js';

/** Devices that do not get the deployment, for one reason. */
export class ExcludedDto {
  /** The first that applies, in the order of the enumeration. `ready` to `reuse`: the check that fails. */
  @ApiProperty({ enum: excludedReasons, enumName: 'ExcludedReason' })
  reason!: ExcludedReason;

  @ApiProperty({ type: 'integer', example: 12 })
  devices!: number;
}

/** Counted devices. */
export class DeviceCountsDto {
  /** How many there are. */
  @ApiProperty({ type: 'integer' })
  devices!: number;

  /** How many would get another deployment than now, lose theirs, or get their first. */
  @ApiProperty({ type: 'integer' })
  changed!: number;

  /** How many would get the deployment that the change is about. */
  @ApiProperty({ type: 'integer' })
  receiving!: number;

  @ApiProperty({ type: [ExcludedDto], description: 'Why the others would not get it, most frequent first.' })
  excluded!: ExcludedDto[];
}

/** Devices of one platform. */
export class PlatformCountsDto extends DeviceCountsDto {
  @ApiProperty({ enum: ['android', 'ios', 'electron'], enumName: 'DevicePlatform' })
  platform!: 'android' | 'ios' | 'electron';
}

/** Devices of one native version. */
export class NativeVersionCountsDto extends PlatformCountsDto {
  /**
   * With the digits of ASCII: devices may send others.
   * @example '10'
   */
  appVersionCode!: string;
}

/** Devices of one version of a plugin. */
export class PluginVersionCountsDto extends DeviceCountsDto {
  /** @example '8.4.3' */
  pluginVersion!: string;

  /** `cordova`, `electron`; `null`: Capacitor. */
  runtime!: string | null;
}

/** How many devices get a deployment, now and after the change. */
export class DeploymentCountsDto {
  /** `null`: the new deployment, which there is not yet. */
  @ApiId()
  appDeploymentId!: string | null;

  @ApiId()
  appChannelId!: string;

  /** @example 'production' */
  appChannelName!: string;

  /** The bundle that it delivers. */
  @ApiId()
  bundleId!: string;

  /** Devices that get it now. */
  @ApiProperty({ type: 'integer' })
  before!: number;

  /** Devices that would get it after the change. */
  @ApiProperty({ type: 'integer' })
  after!: number;
}

/** How many devices get nothing, now and after the change. */
export class WithoutUpdateDto {
  @ApiProperty({
    enum: decisionReasons.filter((reason) => reason !== 'served'),
    enumName: 'NoUpdateReason',
  })
  reason!: Exclude<DecisionReason, 'served'>;

  /** Devices that get nothing now. */
  @ApiProperty({ type: 'integer' })
  before!: number;

  /** Devices that would get nothing after the change. */
  @ApiProperty({ type: 'integer' })
  after!: number;
}

/** Devices by what they report: the 100 most frequent values, and all others. */
export class BreakdownDto {
  @ApiProperty({ type: [PlatformCountsDto], description: 'By platform.' })
  platforms!: PlatformCountsDto[];

  @ApiProperty({ type: [NativeVersionCountsDto], description: 'By native version, the 100 most frequent.' })
  nativeVersions!: NativeVersionCountsDto[];

  @ApiProperty({ type: 'integer', description: 'Devices of further native versions.' })
  otherNativeVersions!: number;

  @ApiProperty({ type: [PluginVersionCountsDto], description: 'By plugin version, the 100 most frequent.' })
  pluginVersions!: PluginVersionCountsDto[];

  @ApiProperty({ type: 'integer', description: 'Devices of further plugin versions.' })
  otherPluginVersions!: number;
}

/** The effect of a change. All numbers except `knownDevices` count evaluated devices. */
@ApiExample({ knownDevices: 812, evaluatedDevices: 812 })
export class SimulationDto {
  /** The simulated time. */
  @ApiTime()
  simulatedAt!: string;

  /** Only devices seen since this time are known. */
  @ApiTime()
  seenSince!: string;

  /** Number of devices of the app seen since then. */
  @ApiProperty({ type: 'integer' })
  knownDevices!: number;

  /** Devices that were evaluated: all known ones, or a sample of them. */
  @ApiProperty({ type: 'integer' })
  evaluatedDevices!: number;

  /**
   * Whether the numbers are exact. They are estimates for a sample, and for a new deployment with a share between 0
   * and 1,
   * which chooses its devices at creation.
   * @example true
   */
  isExact!: boolean;

  @ApiProperty({ type: DeviceCountsDto, description: 'All evaluated devices.' })
  total!: DeviceCountsDto;

  @ApiProperty({
    type: [DeploymentCountsDto],
    description: 'What devices get, most frequent after the change first.',
  })
  deployments!: DeploymentCountsDto[];

  @ApiProperty({ type: [WithoutUpdateDto], description: 'Why devices get nothing.' })
  withoutUpdate!: WithoutUpdateDto[];

  @ApiProperty({ type: BreakdownDto, description: 'By what devices report.' })
  breakdown!: BreakdownDto;
}
