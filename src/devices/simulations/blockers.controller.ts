import { Controller, Get } from '@nestjs/common';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { DeploymentBlockersDto } from './blockers.dto.js';
import { BlockersService } from './blockers.service.js';

@ApiTags('Decisions')
@Controller('apps/:appId/deployments/:deploymentId/blockers')
@AfterCheckIns()
export class BlockersController {
  constructor(private readonly blockers: BlockersService) {}

  /**
   * Counts why devices of the channel that were seen in the last 30 days do not run the deployment, as a simulation
   * would. Waits while a simulation of the app runs; those who ask meanwhile get the same response.
   */
  @Get()
  @Requires('devices:read')
  @ApiErrors('deployment_not_live', 'deployment_to_store', 'server_busy')
  get(@CurrentApp() app: App, @IdParam('deploymentId') deploymentId: string): Promise<DeploymentBlockersDto> {
    return this.blockers.find(app, deploymentId);
  }
}
