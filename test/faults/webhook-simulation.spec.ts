import { jest } from '@jest/globals';
import { cloneDatabase, dropDatabase } from '../setup/databases.js';
import { depth, seed } from '../setup/depth.js';
import { testEnvironment } from '../setup/test-environment.js';
import { WebhookSimulation } from '../support/simulations/webhooks/webhook-simulation.js';

const runs = depth.simulatedReceivers;

// A second try would hide what the first one found.
jest.retryTimes(0);

let databaseUrl: string;
let simulation: WebhookSimulation;

beforeAll(async () => {
  databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  simulation = await WebhookSimulation.open(databaseUrl);
});
afterAll(async () => {
  await simulation.close();
  await dropDatabase(databaseUrl);
});

it(
  `${runs} random receivers get every event in order, or it is listed (--seed=${seed})`,
  async () => {
    for (let run = 0; run < runs; run++) {
      await simulation.run(seed + run).catch((error: unknown) => {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        throw new Error([`Run with --seed=${seed + run}:`, message, ...simulation.trace].join('\n'), {
          cause: error,
        });
      });
    }
    process.stdout.write(`${runs} runs, seed ${seed}: ${JSON.stringify(simulation.counts)}\n`);
  },
  // Milliseconds.
  runs * 10_000 + 60_000,
);
