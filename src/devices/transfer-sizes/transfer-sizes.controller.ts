import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { TransferSizesDto } from './transfer-sizes.dto.js';
import { TransferSizesQueries } from './transfer-sizes.queries.js';

@ApiTags('Deployments')
@Controller('apps/:appId/deployments/:deploymentId/transfer-sizes')
@AfterCheckIns()
export class TransferSizesController {
  constructor(private readonly queries: TransferSizesQueries) {}

  /**
   * How many bytes a deployment costs the devices: those without any usable bundle, and those that have another
   * bundle of the app. A device is counted with the bundle that it was offered last.
   */
  @Get()
  @Requires('deployments:read')
  get(@CurrentApp() app: App, @IdParam('deploymentId') deploymentId: string): Promise<TransferSizesDto> {
    return this.queries.get(app.id, deploymentId);
  }
}
