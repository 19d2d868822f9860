import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import type { PlannedDeployment } from './build-deployments.js';

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
