import { jest } from '@jest/globals';
import { depth, seed } from '../setup/depth.js';
import { ClockedPostgres } from '../support/simulations/clocked-postgres.js';
import { simulateJobs } from '../support/simulations/job-simulation.js';
import { JobWorld } from '../support/simulations/job-world.js';

const runs = depth.simulatedJobs;

// A second try would have other moments, and hide what the first one found.
jest.retryTimes(0);

let world: JobWorld;

beforeAll(async () => {
  if (!ClockedPostgres.isFaked)
    process.stdout.write(
      'NOT CHECKED: a clock of PostgreSQL that jumps, because libfaketime is not installed. Stored times move instead.\n',
    );
  world = await JobWorld.start();
});
afterAll(() => world?.stop());

it(
  `${runs} random runs lose no job, no acknowledged write and no limit (--seed=${seed})`,
  async () => {
    const counts = await simulateJobs(world, runs, seed);
    process.stdout.write(`${runs} runs, seed ${seed}: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  },
  // Milliseconds: ten seconds for each run, and what shrinking takes.
  runs * 10_000 + 300_000,
);
