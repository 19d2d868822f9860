import { depth, isDeep, seed } from '../setup/depth.js';
import { ChainCounts, DeviceChains, DEVICES_PER_APP } from '../support/devices/chains.js';

const chains = depth.chainedDevices;
/** Apps at once. */
const PARALLEL = 4;

it(
  `${chains} devices install one release after the other without a wrong file (--seed=${seed})`,
  async () => {
    const counts = new ChainCounts();
    const seeds = Array.from({ length: Math.ceil(chains / DEVICES_PER_APP) }, (_, index) => seed + index);
    const run = async (): Promise<void> => {
      for (let next = seeds.shift(); next !== undefined; next = seeds.shift())
        await new DeviceChains(next, counts).run();
    };
    await Promise.all(Array.from({ length: PARALLEL }, run));
    const { problems, ...done } = counts;
    process.stdout.write(`${JSON.stringify(done)}\n`);
    expect(problems).toEqual([]);
    expect(done.chains).toBeGreaterThanOrEqual(chains);
    expect(done.rollBacks).toBeGreaterThan(0);
    // The last releases of few apps may all be for every device.
    if (isDeep) expect(done.withheld).toBeGreaterThan(0);
  },
  // Milliseconds: two hours.
  7_200_000,
);
