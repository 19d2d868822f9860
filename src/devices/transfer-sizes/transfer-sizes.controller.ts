import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { DeploymentsService } from '../../live-updates/deployments/deployments.service.js';
import { TransferSizesDto } from './transfer-sizes.dto.js';
import { TransferSizesQueries } from './transfer-sizes.queries.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments/:deploymentId/transfer-sizes')
@AfterCheckIns()
export class TransferSizesController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly queries: TransferSizesQueries,
  ) {}

  /**
   * Estimates how many bytes devices download for a deployment: devices without a usable bundle, and devices with another
   * bundle of the app. Each device counts with the bundle that its last check offered.
   */
  @Get()
  @Requires('deployments:read')
  @ApiErrors('deployment_to_store')
  async get(
    @CurrentApp() app: App,
    @IdParam('deploymentId') deploymentId: string,
  ): Promise<TransferSizesDto> {
    await this.deployments.getOfChannel(app.id, deploymentId);
    return this.queries.get(app.id, deploymentId);
  }
}
