import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import {
  type DownloadKind,
  downloadKinds,
} from '../../native-builds/build-artifacts/download-counts.queries.js';

/** Devices seen on a day, and in the days before it. */
class SeenDevicesDto {
  /** Seen on the day (UTC). */
  @ApiProperty({ type: 'integer', minimum: 0 })
  daily!: number;

  /** Seen in the seven days that end with it. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  weekly!: number;

  /** Seen in the thirty days that end with it. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  monthly!: number;
}

/** The devices of a day. */
@ApiExample({ daily: 812, weekly: 1940, monthly: 3105 })
export class ActiveDevicesDto extends SeenDevicesDto {
  @ApiProperty({ format: 'date' })
  day!: string;
}

/** The devices of a day with the same value of a property. */
@ApiExample({ daily: 609, weekly: 1404, monthly: 2011, value: 'production' })
export class DeviceGroupDto extends SeenDevicesDto {
  /**
   * Id of a channel or a bundle, a version with the digits of ASCII, `android`, `ios` or `electron`, or a country
   * (ISO 3166-1 alpha-2); `null`: none; of bundles, the one that the app was installed with.
   */
  value!: string | null;

  /** Whether this group contains all devices with rare values; `value` is then `null`. */
  others!: boolean;
}

/** The devices of a day in groups. */
export class DeviceGroupsDto {
  @ApiProperty({ format: 'date' })
  day!: string;

  /** Groups with the most devices in thirty days first, `others` last; at most 101. */
  @ApiProperty({ type: [DeviceGroupDto] })
  groups!: DeviceGroupDto[];
}

/** How many devices ran the bundle of a deployment on a day. */
@ApiExample({ devices: 609, channelDevices: 812, share: 0.75 })
export class AdoptionDto {
  @ApiProperty({ format: 'date' })
  day!: string;

  /** Devices of the channel that were seen on the day and ran the bundle at their last check. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  devices!: number;

  /** Devices of the channel that were seen on the day. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  channelDevices!: number;

  /** `devices` divided by `channelDevices`; `null` when there were none. */
  @ApiProperty({ type: 'number', nullable: true, minimum: 0, maximum: 1 })
  share!: number | null;
}

/** Downloads of a bundle on a day. */
@ApiExample({ downloads: 120, bytes: 57855960 })
export class DownloadsDto {
  @ApiProperty({ format: 'date' })
  day!: string;

  /** The bundle, which may have been deleted. */
  @ApiId()
  bundleId!: string;

  /**
   * `zip`, or of a bundle in manifest form `manifest` and its other files (`file`), or a delta to it (`delta`), by
   * devices; `artifact`: the file of the
   * artifact, by people and programs.
   */
  @ApiProperty({ enum: downloadKinds, enumName: 'DownloadKind' })
  kind!: DownloadKind;

  /** Complete downloads. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  downloads!: number;

  /** Bytes of these downloads. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  bytes!: number;
}
