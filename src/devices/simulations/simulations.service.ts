import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import type { App } from '../../apps/apps/app.entity.js';
import { databaseNow } from '../../common/database-clock.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { snapshot } from '../../database/transactions/transaction.js';
import type { CreateSimulationDto } from './create-simulation.dto.js';
import { SimulatedChangesService } from './simulated-changes.service.js';
import type { SimulationDto } from './simulation.dto.js';
import { Simulation } from './simulation.js';
import { type KnownDevices, SimulationsQueries } from './simulations.queries.js';
import { toSimulationDto } from './to-simulation-dto.js';

const DAY = 86_400_000;

/**
 * Devices that are decided about before other requests are served: each may report different values, which takes
 * longest.
 */
const SLICE = 100;

/** Milliseconds that one pass over the devices may take. The next one reads a smaller sample. */
const TIME_LIMIT = 10_000;

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
        const simulation = await this.evaluate(known, start, sampleOf(knownDevices, values.maxDevices));
        return toSimulationDto({ change, simulation, now, seenSince, knownDevices });
      }),
    );
  }

  /** Evaluates one device of `sample`; of a larger number, when that takes too long. */
  private async evaluate(known: KnownDevices, start: () => Simulation, sample: number): Promise<Simulation> {
    const simulation = start();
    const deadline = performance.now() + TIME_LIMIT;
    let isLate = false;
    for await (const devices of this.queries.read(known, sample)) {
      for (let start = 0; start < devices.length && !isLate; start += SLICE) {
        simulation.add(devices.slice(start, start + SLICE));
        await setImmediate();
        isLate = performance.now() > deadline;
      }
      if (isLate) break;
    }
    return isLate ? this.evaluate(known, start, sample * 8) : simulation.count();
  }
}

/** The least power of two by which the devices are divided into parts that are small enough. */
function sampleOf(devices: number, atMost: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(devices / atMost)));
}

class SimulationRunningError extends ConflictError {
  constructor() {
    super('Another simulation is running. Try again in a moment.', 'simulation_running');
  }
}
