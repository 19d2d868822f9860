import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { DeviceRollback } from '../rollbacks/device-rollback.entity.js';
import { columnsOf, derivedFields, DeviceDto } from './device.dto.js';
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

  /** How often since it last ran the bundle well. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  consecutiveCount!: number;

  /** The last time. */
  @ApiTime()
  lastAt!: string;
}

/** Everything that is stored about a device, including ids of deleted objects that it reported. */
@ApiExample({ requestedChannelNames: ['production'] })
export class DeviceExportDto extends OmitType(DeviceDto, derivedFields) {
  /** Whether `customId` is a hash. */
  customIdHashed!: boolean;

  /** Possible names of the channel that the device requested last, most likely first; empty: none. */
  @ApiProperty({ type: [String] })
  requestedChannelNames!: string[];

  /** The days (UTC) on which it was seen, latest first, of the 62 that end with the last one. */
  @ApiProperty({ type: [String], example: ['2026-03-14', '2026-03-12'] })
  seenOn!: string[];

  /** How often it has rolled bundles back, by the time of the last one. */
  @ApiProperty({ type: [ExportedRollbackDto] })
  rollbacks!: ExportedRollbackDto[];
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
    ...columnsOf(device),
    customIdHashed: device.customIdHashed,
    requestedChannelNames: device.requestedChannelNames,
    seenOn: seenDates(device.lastSeenAt, BigInt(device.seenDays)),
    rollbacks: rollbacks.map(({ bundleId, appVersionCode, count, countWhenHealthy, lastAt }) => ({
      bundleId,
      appVersionCode,
      count,
      consecutiveCount: count - countWhenHealthy,
      lastAt: lastAt.toISOString(),
    })),
  };
}
