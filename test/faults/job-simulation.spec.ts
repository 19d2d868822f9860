import { jest } from '@jest/globals';
import { ClockedPostgres } from '../support/simulations/clocked-postgres.js';
import { simulateJobs } from '../support/simulations/job-simulation.js';
import { JobWorld } from '../support/simulations/job-world.js';

/** `SIMULATIONS=2000 SIMULATION_SEED=… npm run simulate:jobs` runs more of them, or the same ones again. */
const runs = Number(process.env['SIMULATIONS'] ?? 30);
const seed = Number(process.env['SIMULATION_SEED'] ?? Date.now() % 2 ** 31);

// A second try would have other moments, and hide what the first one found.
jest.retryTimes(0);

let world: JobWorld;

beforeAll(async () => {
  if (!ClockedPostgres.isFaked)
    process.stdout.write(
      'NOT CHECKED: a clock of PostgreSQL that jumps, because libfaketime is not installed. Stored times move instead.\n',
    );
  world = await JobWorld.start();
}, 120_000);
afterAll(() => world?.stop());

it(
  `${runs} random runs lose no job, no acknowledged write and no limit (SIMULATION_SEED=${seed})`,
  async () => {
    const counts = await simulateJobs(world, runs, seed);
    process.stdout.write(`${runs} runs, seed ${seed}: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  },
  // Milliseconds: ten seconds for each run, and what shrinking takes.
  runs * 10_000 + 300_000,
);
