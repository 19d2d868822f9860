import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  anyCheck,
  anyDeployment,
  anyTable,
  NOW,
} from '../../../test/support/live-updates/random-releases.js';
import {
  bundleIdOf,
  CHECK,
  deploymentOf,
  tableOf,
} from '../../../test/support/update-checks/decision-cases.js';
import type { ReleaseTable } from '../releases/release-table.js';
import { RollbackCounts, rollbackHash } from '../releases/rollback-counts.js';
import { decideForDevice } from './device-decision.js';

/** As `anyTable`, with channels that deliver, and more deployments that a device may get. */
const anyLongTable = fc
  .tuple(
    anyTable,
    fc.uniqueArray(anyDeployment, { minLength: 5, maxLength: 30, selector: ({ id }) => id }),
    fc.constantFrom(null, 1, 2),
  )
  .map(([table, deployments, rollbackLimit]): ReleaseTable => ({
    ...table,
    channels: table.channels.map((channel) => ({
      ...channel,
      pausedAt: null,
      expiresAt: null,
      protectedAt: null,
      rollbackLimit,
      deployments: deployments.map((deployment) => ({
        ...deployment,
        constraints: { ...deployment.constraints, android: { min: null, max: null, eq: null } },
      })),
    })),
  }));

/** Clocks before, at and after the instants of the tables. */
const anyClock = fc
  .constantFrom(-2, -1, 0, 1, 2)
  .map((offset) => new Date(NOW.getTime() + offset))
  .map((instant) => () => instant);

describe('a decision, which makes few checks,', () => {
  it.each([
    ['any releases', anyTable],
    ['many deployments', anyLongTable],
  ])('is the one that its explanation comes to, which makes all: %s', (_, tables) => {
    fc.assert(
      fc.property(tables, anyCheck, anyClock, (table, check, clock) => {
        const explained = decideForDevice(table, check, clock, []);
        expect(decideForDevice(table, check, clock)).toEqual({ ...explained, trace: [] });
      }),
      { numRuns: 3_000 },
    );
  });

  it('reads no clock where nothing expires', () => {
    const clock = (): never => {
      throw new Error('The clock was read.');
    };
    const neverExpiring = anyTable.map((table) => ({
      ...table,
      channels: table.channels.map((channel) => ({
        ...channel,
        expiresAt: null,
        deployments: channel.deployments.map((deployment) => ({
          ...deployment,
          bundle: { ...deployment.bundle, expiresAt: null },
        })),
      })),
    }));
    fc.assert(
      fc.property(neverExpiring, anyCheck, (table, check) => void decideForDevice(table, check, clock)),
    );
  });

  it('counts roll-backs of a bundle in whose rollout the device is not, where they keep something older from it', () => {
    const rollbacks = new RollbackCounts();
    const deployments = [
      deploymentOf(1, { rolloutPercentage: 0 }),
      deploymentOf(2, { approvalStatus: 'pending' }),
      deploymentOf(3),
    ];
    const table = tableOf(deployments, rollbacks);
    const running = [null, bundleIdOf(2), randomUUID()];
    const served = (): unknown[] =>
      running.map((bundleId) => decideForDevice(table, { ...CHECK, bundleId }, () => NOW).deployment);
    const older = deployments[2];
    const count = { consecutive: 3, all: 3 };
    rollbacks.set(rollbackHash(randomUUID(), bundleIdOf(1), CHECK.appVersionCode), count);
    expect(served()).toEqual([older, older, older]);
    rollbacks.set(rollbackHash(CHECK.deviceId ?? '', bundleIdOf(1), CHECK.appVersionCode), count);
    expect(served()).toEqual([older, null, null]);
  });
});
