import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import type { App } from '../../apps/apps/app.entity.js';
import { databaseNow } from '../../common/database-clock.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { snapshot } from '../../database/transactions/transaction.js';
import type { CreateSimulationDto } from './create-simulation.dto.js';
import { evaluateDevices, sampleOf } from './evaluate-devices.js';
import { SimulatedChangesService } from './simulated-changes.service.js';
import type { SimulationDto } from './simulation.dto.js';
import { Simulation } from './simulation.js';
import { SimulationsQueries } from './simulations.queries.js';
import { toSimulationDto } from './to-simulation-dto.js';

const DAY = 86_400_000;

/** Computes the effect of a change on the known devices, without making the change. */
@Injectable()
export class SimulationsService {
  constructor(
    private readonly changes: SimulatedChangesService,
    private readonly queries: SimulationsQueries,
    private readonly limits: Limits,
  ) {}

  /**
   * @throws NotFoundError @throws InvalidRequestError as the change itself
   * @throws ConflictError when another simulation of the app is running
   * @throws ServerBusyError
   */
  async simulate({ id: appId, organizationId }: App, values: CreateSimulationDto): Promise<SimulationDto> {
    return this.limits.run('simulations', organizationId, () =>
      snapshot(async () => {
        if (!(await this.queries.lock(appId))) throw new SimulationRunningError();
        const now = databaseNow();
        const seenSince = new Date(now.getTime() - values.seenWithinDays * DAY);
        const change = await this.changes.prepare(appId, values, now);
        const known = { appId, seenSince };
        const knownDevices = await this.queries.count(known);
        const start = (): Simulation => new Simulation(change, now);
        const read = (sample: number) => this.queries.read(known, sample);
        const sample = sampleOf(knownDevices, values.maxDevices);
        const simulation = (await evaluateDevices(read, start, sample)).count();
        return toSimulationDto({ change, simulation, now, seenSince, knownDevices });
      }),
    );
  }
}

class SimulationRunningError extends ConflictError {
  constructor() {
    super('Another simulation is running. Try again in a moment.', 'simulation_running');
  }
}
