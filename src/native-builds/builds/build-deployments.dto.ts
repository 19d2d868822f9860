import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { DeploymentOfBuild, PlannedDeployment } from './build-deployments.js';

/** A channel that a build goes to after success. */
@ApiExample({ status: 'waiting' })
export class ChannelDeploymentDto {
  @ApiId()
  appChannelId!: string;

  /** `waiting` until the job of the build has succeeded. */
  @ApiProperty({ enum: ['waiting', 'deployed', 'failed'], enumName: 'ChannelDeploymentStatus' })
  status!: 'waiting' | 'deployed' | 'failed';

  /** Why the build was not deployed to the channel. */
  statusMessage!: string | null;

  /** The deployment, which may still need approvals. */
  @ApiId()
  appDeploymentId!: string | null;
}

/** A destination in a store that a build goes to after success. */
@ApiExample({ status: 'waiting' })
export class DestinationDeploymentDto {
  @ApiId()
  appDestinationId!: string;

  /** `waiting` until the job of the build has succeeded. */
  @ApiProperty({ enum: ['waiting', 'deployed', 'failed'], enumName: 'DestinationDeploymentStatus' })
  status!: 'waiting' | 'deployed' | 'failed';

  /** Why the build was not sent to the destination. */
  statusMessage!: string | null;

  /** The deployment, whose job submits the build. */
  @ApiId()
  appDeploymentId!: string | null;
}

/** A deployment of a build to a channel, or to a destination in a store. */
@ApiExample({ appDestinationId: null, appDestinationName: null, rolloutPercentage: 1 })
class DeploymentOfBuildDto {
  @ApiId()
  id!: string;

  /** The channel; `null` for deployments to destinations. */
  @ApiId()
  appChannelId!: string | null;

  /** @example 'production' */
  appChannelName!: string | null;

  /** The destination; `null` for deployments to channels. */
  @ApiId()
  appDestinationId!: string | null;

  /** Name of the destination; `null` for deployments to channels. */
  appDestinationName!: string | null;

  /** Share of devices, or of users of the store, that receive the build, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;

  /** Only `approved` deployments are delivered. */
  @ApiProperty({ enum: ['approved', 'pending', 'rejected'] })
  approvalStatus!: 'approved' | 'pending' | 'rejected';

  /** Whether a newer deployment to its channel goes to all devices; `false` for deployments to destinations. */
  isSuperseded!: boolean;

  @ApiTime()
  createdAt!: string;
}

/** Where a build was deployed to. */
@ApiExample({ total: 1 })
export class DeploymentsOfBuildDto {
  /** The newest ones, newest first, at most five. */
  latest!: DeploymentOfBuildDto[];

  /** How many there are. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  total!: number;
}

/** Most deployments that a build shows. */
export const SHOWN_DEPLOYMENTS = 5;

/** The response for where a build was deployed to. @param latest of this build, newest first */
export function toDeploymentsOfBuildDto(latest: readonly DeploymentOfBuild[]): DeploymentsOfBuildDto {
  return {
    latest: latest.map((deployment) => ({
      id: deployment.id,
      appChannelId: deployment.channelId,
      appChannelName: deployment.channelName,
      appDestinationId: deployment.destinationId,
      appDestinationName: deployment.destinationName,
      rolloutPercentage: deployment.rolloutPercentage,
      approvalStatus: deployment.approvalStatus,
      isSuperseded: deployment.isSuperseded,
      createdAt: deployment.createdAt.toISOString(),
    })),
    total: latest[0]?.total ?? 0,
  };
}

/** The response for a channel that a build goes to; none for a destination. */
export function toChannelDeploymentDto(planned: PlannedDeployment): ChannelDeploymentDto[] {
  const { channelId, status, failure: statusMessage, deploymentId: appDeploymentId } = planned;
  return channelId === null ? [] : [{ appChannelId: channelId, status, statusMessage, appDeploymentId }];
}

/** The response for a destination that a build goes to; none for a channel. */
export function toDestinationDeploymentDto(planned: PlannedDeployment): DestinationDeploymentDto[] {
  const { destinationId, status, failure: statusMessage, deploymentId: appDeploymentId } = planned;
  if (destinationId === null) return [];
  return [{ appDestinationId: destinationId, status, statusMessage, appDeploymentId }];
}
