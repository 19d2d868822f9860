import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import type { EventFacts } from '../../events/event-definition.js';
import { percent } from '../../events/facts.js';

/** A deployment as events about it name it. */
export class DeploymentSummaryDto {
  @ApiId()
  appDeploymentId!: string;

  @ApiId()
  appBuildId!: string;

  /** Number of the build in its app. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  appBuildNumber!: number;

  /** The channel; `null`: it goes to a destination. */
  @ApiId()
  appChannelId!: string | null;

  /** @example 'production' */
  appChannelName!: string | null;

  /** The destination; `null`: it goes to a channel. */
  @ApiId()
  appDestinationId!: string | null;

  /** Name of the destination; `null`: it goes to a channel. */
  appDestinationName!: string | null;

  /** Share of devices, or of users of the store, that receive the build from now on, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;
}

/** What people want to know of a deployment first. */
export function factsOfDeployment(deployment: DeploymentSummaryDto): EventFacts {
  return {
    Channel: deployment.appChannelName,
    Destination: deployment.appDestinationName,
    Build: deployment.appBuildNumber,
    Share: percent(deployment.rolloutPercentage),
  };
}
