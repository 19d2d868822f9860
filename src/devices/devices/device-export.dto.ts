import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { DeviceRollback } from '../rollbacks/device-rollback.entity.js';
import { DeviceVersionsDto } from './device.dto.js';
import type { Device } from './device.entity.js';
import { seenDates } from './seen-dates.js';

/** How often a device has rolled a bundle back. */
export class ExportedRollbackDto {
  @ApiId()
  bundleId!: string;

  /**
   * The native version.
   * @example '10'
   */
  appVersionCode!: string;

  /** How often it has rolled the bundle back in that version. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;

  /** The last time. */
  @ApiTime()
  lastAt!: string;
}

/** Everything that is stored about a device, including ids of deleted objects that it reported. */
@ApiExample({ id: '7f1e4c9a-3f5b-4f0e-9f0e-6a1b7a0c7d11', requestedChannelNames: ['production'] })
export class DeviceExportDto extends DeviceVersionsDto {
  /** Chosen by the device; unique within the app. */
  id!: string;

  @ApiId()
  appId!: string;

  /** 0 Android, 1 iOS, 2 Electron. */
  @ApiProperty({ type: 'integer', enum: [0, 1, 2] })
  platform!: number;

  /** The id that the app assigned to the device, or its hash; `null`: none. */
  customId!: string | null;

  /** Whether `customId` is a hash. */
  customIdHashed!: boolean;

  /** `cordova`, `electron`; `null`: Capacitor. */
  runtime!: string | null;

  /** Country code (ISO 3166-1 alpha-2) that a trusted proxy reported; `null`: unknown. */
  country!: string | null;

  /** Possible names of the channel that the device requested last, most likely first; empty: none. */
  @ApiProperty({ type: [String] })
  requestedChannelNames!: string[];

  /** The channel that the device requested last, or the default channel. */
  @ApiId()
  appChannelId!: string | null;

  /** The channel that a user forces the device to; `null`: none. */
  @ApiId()
  forcedAppChannelId!: string | null;

  /** The deployment that the device was offered last; `null`: none. */
  @ApiId()
  appDeploymentId!: string | null;

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
   * The bundle that the device ran at its last check; `null`: the one that the app was installed with. All zeros: one whose
   * id is no UUID, from another server.
   */
  @ApiId()
  bundleId!: string | null;

  @ApiTime()
  lastSeenAt!: string;

  /** The days (UTC) on which it was seen, latest first, of the 62 that end with the last one. */
  @ApiProperty({ type: [String], example: ['2026-03-14', '2026-03-12'] })
  seenOn!: string[];

  /** How often it has rolled bundles back, by the time of the last one. */
  @ApiProperty({ type: [ExportedRollbackDto] })
  rollbacks!: ExportedRollbackDto[];

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The result of deleting devices. */
@ApiExample({ deleted: 2 })
export class DeletedDevicesDto {
  /** Number of deleted devices. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  deleted!: number;
}

/** Every column of a device, and its roll-backs. */
export function toDeviceExportDto(device: Device, rollbacks: readonly DeviceRollback[]): DeviceExportDto {
  return {
    id: device.id,
    appId: device.appId,
    platform: device.platform,
    appVersionCode: device.appVersionCode,
    appVersionName: device.appVersionName,
    osVersion: device.osVersion,
    pluginVersion: device.pluginVersion,
    customId: device.customId,
    customIdHashed: device.customIdHashed,
    runtime: device.runtime,
    country: device.country,
    requestedChannelNames: device.requestedChannelNames,
    appChannelId: device.channelId,
    forcedAppChannelId: device.forcedChannelId,
    appDeploymentId: device.deploymentId,
    offeredAt: device.offeredAt?.toISOString() ?? null,
    appliedAt: device.appliedAt?.toISOString() ?? null,
    rolledBackAt: device.rolledBackAt?.toISOString() ?? null,
    bundleId: device.bundleId,
    lastSeenAt: device.lastSeenAt.toISOString(),
    seenOn: seenDates(device.lastSeenAt, BigInt(device.seenDays)),
    rollbacks: rollbacks.map(({ bundleId, appVersionCode, count, lastAt }) => ({
      bundleId,
      appVersionCode,
      count,
      lastAt: lastAt.toISOString(),
    })),
    createdAt: device.createdAt.toISOString(),
    updatedAt: device.updatedAt.toISOString(),
  };
}
