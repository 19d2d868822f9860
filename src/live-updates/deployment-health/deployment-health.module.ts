import { Module } from '@nestjs/common';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { DeploymentHealthController } from './deployment-health.controller.js';
import { DeploymentHealthQueries } from './deployment-health.queries.js';
import { RollbackSharesQueries } from './rollback-shares.queries.js';
import { RollbackShares } from './rollback-shares.task.js';

@Module({
  imports: [DeploymentsModule],
  controllers: [DeploymentHealthController],
  providers: [DeploymentHealthQueries, RollbackSharesQueries, RollbackShares],
  exports: [DeploymentHealthQueries],
})
export class DeploymentHealthModule {}
