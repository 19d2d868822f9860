import { Controller, Get } from '@nestjs/common';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { DeploymentsService } from './deployments.service.js';
import { DeploymentHealthDto, toDeploymentHealthDto } from '../deployment-health/deployment-health.dto.js';
import { DeploymentHealthQueries } from '../deployment-health/deployment-health.queries.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments/:deploymentId/health')
@AfterCheckIns()
export class DeploymentHealthController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly health: DeploymentHealthQueries,
  ) {}

  /**
   * Counts how devices responded to a deployment, with or without a rollout plan. A device counts for the deployment that
   * it was offered last, so a deployment that a newer one has replaced loses its devices.
   */
  @Get()
  @Requires('deployments:read')
  @ApiErrors('deployment_to_store')
  async get(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<DeploymentHealthDto> {
    await this.deployments.getOfChannel(app.id, deploymentId);
    return toDeploymentHealthDto(
      await this.health.count({ appId: app.id, deploymentId, observedSince: null }),
    );
  }
}
