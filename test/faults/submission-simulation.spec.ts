import { jest } from '@jest/globals';
import { simulateSubmissions } from '../support/simulations/submissions/submission-simulation.js';
import { SubmissionWorld } from '../support/simulations/submissions/submission-world.js';

/** `SIMULATIONS=2000 SIMULATION_SEED=… npm run simulate:jobs` runs more of them, or the same ones again. */
const runs = Number(process.env['SIMULATIONS'] ?? 5);
const seed = Number(process.env['SIMULATION_SEED'] ?? Date.now() % 2 ** 31);

// A second try would have other moments, and hide what the first one found.
jest.retryTimes(0);

let world: SubmissionWorld;

beforeAll(async () => {
  world = await SubmissionWorld.start();
}, 180_000);
afterAll(() => world?.stop());

it(
  `${runs} random runs release nothing twice, lose nothing and leave nothing open (SIMULATION_SEED=${seed})`,
  async () => {
    const counts = await simulateSubmissions(world, runs, seed);
    process.stdout.write(`${runs} runs, seed ${seed}: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  },
  // Milliseconds: half a minute for each run, and what shrinking takes.
  runs * 30_000 + 300_000,
);
