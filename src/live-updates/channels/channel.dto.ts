import { ApiProperty } from '@nestjs/swagger';
import { MAX_BUNDLE_RETENTION_COUNT } from '../../apps/apps/app.entity.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { DeploymentDto } from '../deployments/deployment.dto.js';
import { type Channel, MAX_ROLLBACK_LIMIT } from './channel.entity.js';
import { FreezeWindowDto } from '../../common/freezes/freeze-window.dto.js';

/** A channel as devices see it when they discover channels. */
export class DiscoveredChannelDto {
  @ApiId()
  id!: string;

  /** @example 'production' */
  name!: string;
}

/** A named stream of deployments that devices follow. */
@ApiExample({ appDeploymentId: exampleId('Deployment'), rollbackLimit: 2, freezeWindows: [] })
export class ChannelDto extends DiscoveredChannelDto {
  @ApiId()
  appId!: string;

  /** The active deployment: the newest approved one. */
  @ApiId()
  appDeploymentId!: string | null;

  /** The active deployment, with the relation `appDeployment`. */
  @ApiProperty({ type: DeploymentDto, nullable: true, required: false })
  appDeployment?: DeploymentDto | null;

  /** Delivery stops at this time; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** Start of the pause; `null`: not paused. */
  @ApiTime()
  pausedAt!: string | null;

  /** Since this time, only signed bundles are delivered; `null`: not protected. */
  @ApiTime()
  protectedAt!: string | null;

  /** People other than its creator who must approve a deployment before it is delivered. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 5 })
  requiredApprovals!: number;

  /** Freeze windows, in which no deployment starts or grows. */
  @ApiProperty({ type: [FreezeWindowDto] })
  freezeWindows!: FreezeWindowDto[];

  /** How many of the newest bundles of the channel to keep, besides those in use; `null`: the setting of the app. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_BUNDLE_RETENTION_COUNT })
  bundleRetentionCount!: number | null;

  /**
   * After so many roll-backs of a bundle, a device is not offered the bundle again in the same native version; `null`: it
   * always is.
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_ROLLBACK_LIMIT })
  rollbackLimit!: number | null;

  /** Number of deployments to the channel. */
  @ApiProperty({ type: 'integer' })
  totalAppDeployments!: number;

  /** Number of devices whose last check requested the channel. */
  @ApiProperty({ type: 'integer' })
  totalAppDevices!: number;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** Data of a channel that comes from other tables. */
export interface ChannelSummary {
  readonly latestDeploymentId: string | null;
  readonly totalDeployments: number;
  readonly totalDevices: number;
}

/** The part of a channel that devices may see. */
export function toDiscoveredChannelDto(channel: Channel): DiscoveredChannelDto {
  return { id: channel.id, name: channel.name };
}

/**
 * The response for a channel.
 *
 * @param deployment the active deployment, if requested
 */
export function toChannelDto(
  channel: Channel,
  summary: ChannelSummary,
  deployment?: DeploymentDto | null,
): ChannelDto {
  return {
    id: channel.id,
    appId: channel.appId,
    name: channel.name,
    appDeploymentId: summary.latestDeploymentId,
    ...(deployment === undefined ? {} : { appDeployment: deployment }),
    expiresAt: channel.expiresAt?.toISOString() ?? null,
    pausedAt: channel.pausedAt?.toISOString() ?? null,
    protectedAt: channel.protectedAt?.toISOString() ?? null,
    requiredApprovals: channel.requiredApprovals,
    freezeWindows: channel.freezeWindows.map(({ from, to, reason }) => ({ from, to, reason })),
    bundleRetentionCount: channel.bundleRetentionCount,
    rollbackLimit: channel.rollbackLimit,
    totalAppDeployments: summary.totalDeployments,
    totalAppDevices: summary.totalDevices,
    createdAt: channel.createdAt.toISOString(),
    updatedAt: channel.updatedAt.toISOString(),
  };
}
