import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrorAs, ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { OwnTransactions } from '../../database/own-transactions.decorator.js';
import { CreateSimulationDto } from './create-simulation.dto.js';
import { SimulationDto } from './simulation.dto.js';
import { SimulationsService } from './simulations.service.js';

@ApiTags('Decisions')
@Controller('apps/:appId/simulations')
@AfterCheckIns()
export class SimulationsController {
  constructor(private readonly simulations: SimulationsService) {}

  /**
   * What a change would do: which known devices would get what, and why the others would not. Nothing is changed or
   * kept. One simulation of an app at a time.
   */
  @Post()
  @HttpCode(200)
  @Requires('devices:read')
  @OwnTransactions()
  @ApiErrors(400)
  @ApiErrorAs(409, 'Another simulation is running (`simulation_running`).')
  simulate(@CurrentApp() app: App, @Body() body: CreateSimulationDto): Promise<SimulationDto> {
    return this.simulations.simulate(app.id, body);
  }
}
