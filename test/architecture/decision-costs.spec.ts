import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DecisionCost } from '../support/update-checks/decision-costs.js';

const PROGRAM = join(import.meta.dirname, '../support/update-checks/decision-costs.ts');

/** Nothing is collected meanwhile, and every function is compiled at the same moment in each run. */
const OPTIONS = ['--expose-gc', '--single-threaded', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Runs agree to the byte. Another version of Node.js may allocate a little more. */
const TOLERANCE = 1.1;

/** One decision of each case. */
const expected: Readonly<Record<string, Omit<DecisionCost, 'reason'>>> = {
  'an update': { deployments: 1, hashes: 1, bytes: 1288 },
  'an update, no roll-backs in the app': { deployments: 1, hashes: 0, bytes: 676 },
  'an update, a bundle runs': { deployments: 1, hashes: 1, bytes: 1229 },
  'nothing was deployed': { deployments: 0, hashes: 0, bytes: 323 },
  '1 for later versions': { deployments: 0, hashes: 0, bytes: 560 },
  '50 for later versions': { deployments: 0, hashes: 0, bytes: 1072 },
  '100 for later versions': { deployments: 0, hashes: 0, bytes: 1072 },
  'an update as the 100th': { deployments: 1, hashes: 1, bytes: 1602 },
  '100 at 0 %': { deployments: 100, hashes: 0, bytes: 2677 },
  '100 at 0 %, a bundle runs': { deployments: 100, hashes: 0, bytes: 5100 },
  '100 at 0 %, without a checksum': { deployments: 100, hashes: 0, bytes: 3185 },
  '100 at 1 %': { deployments: 100, hashes: 100, bytes: 30171 },
  '100 at 1 %, a bundle runs': { deployments: 100, hashes: 100, bytes: 32584 },
  'the newest damaged, an unknown bundle runs': { deployments: 100, hashes: 0, bytes: 2735 },
};

it('a warm decision reads and hashes as much as expected, and allocates no more', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...OPTIONS, PROGRAM]);
  const costs = JSON.parse(stdout) as Readonly<Record<string, DecisionCost>>;
  for (const [name, { bytes, deployments, hashes }] of Object.entries(costs)) {
    const most = (expected[name]?.bytes ?? 0) * TOLERANCE;
    expect({ name, deployments, hashes, bytes: Math.max(bytes, most) }).toEqual({
      name,
      ...expected[name],
      bytes: most,
    });
  }
  expect(Object.keys(costs)).toEqual(Object.keys(expected));
});
