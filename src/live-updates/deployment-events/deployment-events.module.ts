import { Module } from '@nestjs/common';
import { DeploymentEventsQueries } from './deployment-events.queries.js';
import { DeploymentEvents } from './deployment-events.service.js';

/** Records events about deployments. */
@Module({ providers: [DeploymentEventsQueries, DeploymentEvents], exports: [DeploymentEvents] })
export class DeploymentEventsModule {}
