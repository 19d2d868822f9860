import fc from 'fast-check';
import { anyCheck, anyTable, clock } from '../../../test/support/live-updates/random-releases.js';
import { decideForDevice, type DeviceCheck } from '../channel-decision/device-decision.js';
import type { ReleaseTable } from '../releases/release-table.js';
import { NO_ROLLBACKS, RollbackCounts, rollbackHash } from '../releases/rollback-counts.js';

const MANY = { consecutive: 100, all: 300 };

const always = (holds: (table: ReleaseTable, check: DeviceCheck) => void): void =>
  fc.assert(fc.property(anyTable, anyCheck, holds), { numRuns: 500 });

describe('the check of roll-backs', () => {
  it('withholds a bundle from the counts of the channel on, unless the device runs it', () => {
    always((table, check) => {
      const { channel, deployment } = decideForDevice(table, check, clock);
      if (channel === null || deployment === null || deployment.bundle.id === check.bundleId) return;
      const { bundle } = deployment;
      const { consecutive, all } = table.rollbacks.of(check.deviceId, bundle.id, check.appVersionCode);
      const limit = channel.rollbackLimit ?? Infinity;
      expect(consecutive).toBeLessThan(limit);
      expect(all).toBeLessThan(3 * limit);
    });
  });

  it('changes nothing for other devices, bundles and native versions, nor without a limit', () => {
    always((table, check) => {
      const rollbacks = new RollbackCounts();
      rollbacks.set(rollbackHash('another', 'bundle-1', check.appVersionCode), MANY);
      rollbacks.set(rollbackHash(check.deviceId ?? '', 'bundle-1', `${check.appVersionCode}0`), MANY);
      const plain = decideForDevice({ ...table, rollbacks: NO_ROLLBACKS }, check, clock);
      expect(decideForDevice({ ...table, rollbacks }, check, clock)).toEqual(plain);
      const channels = table.channels.map((channel) => ({ ...channel, rollbackLimit: null }));
      const unlimited = decideForDevice({ ...table, channels }, check, clock);
      expect(unlimited.deployment?.id).toBe(plain.deployment?.id);
    });
  });

  it('never makes a device install something older than what it runs', () => {
    always((table, check) => {
      const { channel, deployment } = decideForDevice(table, check, clock);
      const plain = decideForDevice({ ...table, rollbacks: NO_ROLLBACKS }, check, clock).deployment;
      if (channel === null || deployment === null || deployment.id === plain?.id) return;
      if (!check.bundleId || deployment.bundle.id === check.bundleId) return;
      const running = channel.deployments
        .filter(({ bundle }) => bundle.id === check.bundleId)
        .map(({ sequence }) => sequence)
        .concat(channel.retiredBundles.get(check.bundleId) ?? []);
      expect(running).not.toEqual([]);
      for (const sequence of running) expect(deployment.sequence).toBeGreaterThanOrEqual(sequence);
    });
  });
});
