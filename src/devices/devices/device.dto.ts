import { WarningDto } from '../../common/warnings/warning.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { ChannelDto } from '../../live-updates/channels/channel.dto.js';
import { shownDeviceId } from '../check-ins/device-id.js';
import type { Device } from './device.entity.js';

/** Versions that a device reports. */
export class DeviceVersionsDto {
  /** @example '10' */
  appVersionCode!: string;

  /** @example '1.0.0' */
  appVersionName!: string;

  /** @example '34' */
  osVersion!: string;

  /** @example '8.4.3' */
  pluginVersion!: string;
}

/** What people call a build. */
export class DeviceBuildDto {
  @ApiId()
  id!: string;

  /** @example '42' */
  numberAsString!: string;

  /** Its name; `null`: none. */
  displayName!: string | null;
}

/** A device that has asked for updates. */
@ApiExample({ appChannelId: exampleId('Channel'), appDeploymentId: exampleId('Deployment') })
export class DeviceDto extends DeviceVersionsDto {
  /**
   * Chosen by the device; unique within the app. Letters, digits and `._:~-`; other characters, which devices had in
   * former versions, are percent-encoded.
   * @example '7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11'
   */
  id!: string;

  @ApiId()
  appId!: string;

  /** The channel that the device requested last, or the default channel. */
  @ApiId()
  appChannelId!: string | null;

  /** The name of that channel. */
  appChannelName!: string | null;

  /** That channel, with the relation `appChannel`. */
  @ApiProperty({ type: ChannelDto, nullable: true, required: false })
  appChannel?: ChannelDto | null;

  /**
   * The channel that a user forces the device to, whose deployments still include it or not by their percentage; `null`:
   * none.
   */
  @ApiId()
  forcedAppChannelId!: string | null;

  /** The name of that channel. */
  forcedAppChannelName!: string | null;

  /** The deployment that the device was offered last; `null`: none. */
  @ApiId()
  appDeploymentId!: string | null;

  /** The build of that deployment, with the relation `offeredAppBuild`; `null`: it was deleted, too. */
  @ApiProperty({ type: DeviceBuildDto, nullable: true, required: false })
  offeredAppBuild?: DeviceBuildDto | null;

  /** When it was first offered that deployment in this native version; `null`: never. */
  @ApiTime()
  offeredAt!: string | null;

  /** When it first reported running the bundle of that deployment; `null`: never. */
  @ApiTime()
  appliedAt!: string | null;

  /** When it first reported another bundle after that; `null`: never. */
  @ApiTime()
  rolledBackAt!: string | null;

  /**
   * The bundle that the device ran at its last check, even if it was deleted since; `null`: the one that the app was
   * installed with. All zeros: one whose id is no UUID, from another server.
   */
  @ApiId()
  bundleId!: string | null;

  /** The build of that bundle, with the relation `appBuild`; `null`: it was deleted, or is not one of this app. */
  @ApiProperty({ type: DeviceBuildDto, nullable: true, required: false })
  appBuild?: DeviceBuildDto | null;

  /** 0 Android, 1 iOS, 2 Electron. */
  @ApiProperty({ type: 'integer', enum: [0, 1, 2] })
  platform!: number;

  /** The id that the app assigned to the device, or its hash if `customIdHashing` is on for the app; `null`: none. */
  customId!: string | null;

  /**
   * How many devices of the app have this custom id, with this one, as a person who has reinstalled the app has several;
   * 100 means 100 or more, `null` that it has none.
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, nullable: true, example: 3 })
  sameCustomId!: number | null;

  /** With a change of its forced channel: what may surprise about it. */
  @ApiProperty({ type: [WarningDto], required: false })
  warnings?: WarningDto[];

  /** `cordova`, `electron`; `null`: Capacitor. */
  runtime!: string | null;

  /** Country code (ISO 3166-1 alpha-2) that a trusted proxy reported; `null`: unknown. */
  country!: string | null;

  @ApiTime()
  lastSeenAt!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** A build, as it is stored. */
export interface DeviceBuild {
  readonly id: string;
  readonly number: number;
  readonly displayName: string | null;
}

/** Objects that a device last reported, as far as they still exist. */
export interface DeviceReferences {
  /** By id, also of the channels that devices are forced to. */
  readonly channelNames: ReadonlyMap<string, string>;
  /** The builds of deployments, by the ids of these; `null`: the build was deleted. */
  readonly deployments: ReadonlyMap<string, DeviceBuild | null>;
  /** The channels by id, when the relation was asked for. */
  readonly channels?: ReadonlyMap<string, ChannelDto>;
  /** The builds of bundles, by the ids of these, when the relation was asked for. */
  readonly builds?: ReadonlyMap<string, DeviceBuild>;
  /** How many devices have the custom id of a device, by the ids of those that have one. */
  readonly sameCustomId: ReadonlyMap<string, number>;
  /** Whether the builds of deployments were asked for. */
  readonly withOffered: boolean;
}

/** The response for a device. */
export function toDeviceDto(device: Device, references: DeviceReferences): DeviceDto {
  const { channelNames, channels, deployments, builds, withOffered } = references;
  const channelName = channelNames.get(device.channelId ?? '') ?? null;
  const offered = deployments.get(device.deploymentId ?? '');
  return {
    ...columnsOf(device),
    appChannelId: channelName === null ? null : device.channelId,
    appChannelName: channelName,
    ...(channels ? { appChannel: channels.get(device.channelId ?? '') ?? null } : {}),
    forcedAppChannelName: channelNames.get(device.forcedChannelId ?? '') ?? null,
    appDeploymentId: offered === undefined ? null : device.deploymentId,
    sameCustomId: references.sameCustomId.get(device.id) ?? null,
    ...(withOffered ? { offeredAppBuild: toBuildDto(offered) } : {}),
    // They describe the deployment, which may be gone.
    ...(offered === undefined ? { offeredAt: null, appliedAt: null, rolledBackAt: null } : {}),
    ...(builds ? { appBuild: toBuildDto(builds.get(device.bundleId ?? '')) } : {}),
  };
}

function toBuildDto(build: DeviceBuild | null | undefined): DeviceBuildDto | null {
  if (build === null || build === undefined) return null;
  return { id: build.id, numberAsString: String(build.number), displayName: build.displayName };
}

/** What a device has besides its own columns. */
export const derivedFields = [
  'warnings',
  'appChannel',
  'appChannelName',
  'forcedAppChannelName',
  'offeredAppBuild',
  'appBuild',
  'sameCustomId',
] as const;

/** The fields that are as they are stored, including ids of deleted objects. */
export function columnsOf(device: Device): Omit<DeviceDto, (typeof derivedFields)[number]> {
  return {
    id: shownDeviceId(device.id),
    appId: device.appId,
    appChannelId: device.channelId,
    forcedAppChannelId: device.forcedChannelId,
    appDeploymentId: device.deploymentId,
    offeredAt: device.offeredAt?.toISOString() ?? null,
    appliedAt: device.appliedAt?.toISOString() ?? null,
    rolledBackAt: device.rolledBackAt?.toISOString() ?? null,
    bundleId: device.bundleId,
    appVersionCode: device.appVersionCode,
    appVersionName: device.appVersionName,
    osVersion: device.osVersion,
    pluginVersion: device.pluginVersion,
    platform: device.platform,
    customId: device.customId,
    runtime: device.runtime,
    country: device.country,
    lastSeenAt: device.lastSeenAt.toISOString(),
    createdAt: device.createdAt.toISOString(),
    updatedAt: device.updatedAt.toISOString(),
  };
}
