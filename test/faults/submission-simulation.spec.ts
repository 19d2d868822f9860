import { jest } from '@jest/globals';
import { depth, seed } from '../setup/depth.js';
import { simulateSubmissions } from '../support/simulations/submissions/submission-simulation.js';
import { SubmissionWorld } from '../support/simulations/submissions/submission-world.js';

const runs = depth.simulatedSubmissions;

// A second try would have other moments, and hide what the first one found.
jest.retryTimes(0);

let world: SubmissionWorld;

beforeAll(async () => {
  world = await SubmissionWorld.start();
});
afterAll(() => world?.stop());

it(
  `${runs} random runs release nothing twice, lose nothing and leave nothing open (--seed=${seed})`,
  async () => {
    const counts = await simulateSubmissions(world, runs, seed);
    process.stdout.write(`${runs} runs, seed ${seed}: ${JSON.stringify(Object.fromEntries(counts))}\n`);
  },
  // Milliseconds: half a minute for each run, and what shrinking takes.
  runs * 30_000 + 300_000,
);
