import { ConflictError } from '../../common/errors/app-error.js';

/** Simulations that wait at most. */
const MAX_WAITING = 10;

/**
 * Lets one simulation run at a time in this process, so that all of them together take one connection of the database.
 * Who waits takes none.
 */
export class SimulationSlots {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Runs work when all that came before has ended. @throws ConflictError when too many wait */
  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.waiting >= MAX_WAITING) throw new SimulationRunningError();
    this.waiting++;
    const turn = this.last.then(() => {
      this.waiting--;
      return work();
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** 409: another simulation of the app is running, or too many of others wait. */
export class SimulationRunningError extends ConflictError {
  constructor() {
    super('Another simulation is running. Try again in a moment.', 'simulation_running');
  }
}
