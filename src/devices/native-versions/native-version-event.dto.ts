import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';

/** What devices with a native version get in a channel, as far as their version decides. */
export class DeliveredDeploymentDto {
  @ApiId()
  appChannelId!: string;

  /** @example 'production' */
  appChannelName!: string;

  /** The newest deployment of the channel that admits the version. */
  @ApiId()
  appDeploymentId!: string;

  /** When it was made. */
  @ApiTime()
  createdAt!: string;
}

/** A native version that enough devices report for the first time, above all that were seen before. */
export class NativeVersionEventDto {
  /** 0 Android, 1 iOS, 2 Electron. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 2, example: 0 })
  platform!: number;

  /** @example '48' */
  appVersionCode!: string;

  /**
   * What most of these devices report as its name; empty: they report none.
   * @example '1.5.0'
   */
  appVersionName!: string;

  /** Devices that report it. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  devices!: number;

  /** What these devices get in the channels of the app: deployments that are older than this event. At most 20. */
  @ApiProperty({ type: [DeliveredDeploymentDto] })
  deployments!: DeliveredDeploymentDto[];
}
