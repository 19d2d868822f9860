import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { CreateSimulationDto } from './create-simulation.dto.js';
import { SimulationDto } from './simulation.dto.js';
import { SimulationsService } from './simulations.service.js';

@ApiTags('Decisions')
@Controller('apps/:appId/simulations')
@AfterCheckIns()
export class SimulationsController {
  constructor(private readonly simulations: SimulationsService) {}

  /**
   * Simulates a change: which bundle each known device would get, and why the others would get none. Changes and stores
   * nothing. Only one simulation per app runs at a time.
   */
  @Post()
  @ApiSuccess('What the change would do.')
  @HttpCode(200)
  @Requires('devices:read')
  @OwnTransactions()
  @ApiErrors(
    'deployment_to_store',
    'build_not_found',
    'bundle_not_found',
    'channel_not_found',
    'deployment_not_found',
    'device_not_found',
    'simulation_running',
    'unsigned_bundle',
  )
  simulate(@CurrentApp() app: App, @Body() body: CreateSimulationDto): Promise<SimulationDto> {
    return this.simulations.simulate(app, body);
  }
}
