import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { casesOf, type DecisionCase } from './decision-cases.ts';

/*
 * A program: prints what warm decisions of the compiled server cost, in counts that are the same in each run. It needs options
 * of Node.js that keep the collector away and compile on the main thread: test/architecture/decision-costs.spec.ts.
 */

/** What one decision costs. */
export interface DecisionCost {
  readonly reason: string;
  /** Deployments of which something was read. */
  readonly deployments: number;
  readonly hashes: number;
  /** Allocated on the heap. */
  readonly bytes: number;
}

const WARM_UP = 10_000;
const MEASURED = 2000;

let hashes = 0;
const { hash } = crypto;
crypto.hash = ((...args: Parameters<typeof hash>) => {
  hashes++;
  return hash(...args);
}) as typeof hash;
syncBuiltinESMExports();

const built = join(import.meta.dirname, '../../../dist/src/devices');
type Decide = typeof import('../../../src/devices/channel-decision/device-decision.js');
type Counts = typeof import('../../../src/devices/releases/rollback-counts.js');
const { decideForDevice } = (await import(join(built, 'channel-decision/device-decision.js'))) as Decide;
const { RollbackCounts, rollbackHash } = (await import(join(built, 'releases/rollback-counts.js'))) as Counts;

const now = new Date();
const clock = (): Date => now;

function costOf({ table, check }: DecisionCase): DecisionCost {
  const { reason } = decideForDevice(table, check, clock);
  for (let n = 0; n < WARM_UP; n++) decideForDevice(table, check, clock);
  hashes = 0;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < MEASURED; n++) decideForDevice(table, check, clock);
  const bytes = Math.round((process.memoryUsage().heapUsed - before) / MEASURED);
  const cost = { reason, hashes: hashes / MEASURED, bytes };
  return { ...cost, deployments: deploymentsRead({ table, check }) };
}

/** Reads the deployments of a copy of the table through getters, once it is warm. */
function deploymentsRead({ table, check }: DecisionCase): number {
  const read = new Set<string>();
  const observed = {
    ...table,
    channels: table.channels.map((channel) => ({
      ...channel,
      deployments: channel.deployments.map((deployment) =>
        Object.defineProperty({ ...deployment }, 'bundle', {
          get: () => {
            read.add(deployment.id);
            return deployment.bundle;
          },
        }),
      ),
    })),
  };
  decideForDevice(observed, check, clock);
  read.clear();
  decideForDevice(observed, check, clock);
  return read.size;
}

const rollbacks = new RollbackCounts();
rollbacks.set(rollbackHash('another device', 'another bundle', '10'), { consecutive: 1, all: 1 });
const cases = casesOf(rollbacks, new RollbackCounts());
process.stdout.write(
  JSON.stringify(Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, costOf(one)]))),
);
