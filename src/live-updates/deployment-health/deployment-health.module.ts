import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { DeploymentHealthController } from './deployment-health.controller.js';
import { DeploymentHealthQueries } from './deployment-health.queries.js';

@Module({
  imports: [DeploymentsModule],
  controllers: [DeploymentHealthController],
  providers: [DeploymentHealthQueries],
  exports: [DeploymentHealthQueries],
})
export class DeploymentHealthModule {}
