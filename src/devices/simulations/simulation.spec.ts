import fc from 'fast-check';
import {
  anyCheck,
  anyDeployment,
  anyTable,
  deviceIds,
  clock,
  NOW,
} from '../../../test/support/live-updates/random-releases.js';
import { decideForDevice, type DeviceCheck } from '../channel-decision/device-decision.js';
import type { ReleaseTable } from '../releases/release-table.js';
import { NO_ROLLBACKS } from '../releases/rollback-counts.js';
import { platforms } from '../check-ins/device-report.js';
import {
  deleting,
  deploying,
  forcing,
  pausing,
  rollingOut,
  type SimulatedChange,
} from './simulated-change.js';
import { Simulation, type SimulatedDevice } from './simulation.js';
import type { Counts, BeforeAndAfter } from './tally.js';

const channelId = fc.constantFrom('Production-id', 'qa-id');

/** Simulations ignore roll-backs. */
const withoutRollbacks = anyTable.map((table) => ({ ...table, rollbacks: NO_ROLLBACKS }));

/** Any change to any releases. */
const anyChange: fc.Arbitrary<SimulatedChange> = withoutRollbacks.chain((table) =>
  fc.oneof(
    fc
      .tuple(channelId, anyDeployment)
      .map(([id, added]) => deploying(table, id, { ...added, sequence: Infinity })),
    fc
      .tuple(channelId, fc.nat(5), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([id, index, share]) =>
        rollingOut(table, id, channelOf(table, id).deployments.at(index)?.id ?? 'deleted', share),
      ),
    fc.tuple(channelId, fc.constantFrom(null, NOW)).map(([id, pausedAt]) => pausing(table, id, pausedAt)),
    fc
      .tuple(fc.uniqueArray(fc.constantFrom(...deviceIds)), fc.option(channelId))
      .map(([ids, id]) => forcing(table, ids, id)),
    channelId.map((id) => deleting(table, withoutOldest(table, id))),
  ),
);

function channelOf(table: ReleaseTable, id: string): ReleaseTable['channels'][number] {
  return table.channels.find((channel) => channel.id === id)!;
}

function withoutOldest(table: ReleaseTable, id: string): ReleaseTable {
  return {
    ...table,
    channels: table.channels.map((channel) =>
      channel.id === id ? { ...channel, deployments: channel.deployments.slice(1) } : channel,
    ),
  };
}

/** What is known of each device, one for each id; others say what they like. */
const anyDevices = fc
  .array(anyCheck, { minLength: deviceIds.length, maxLength: 30 })
  .map((checks) =>
    checks.map((check, index) => ({ ...check, deviceId: deviceIds[index] ?? `other-${index}` })),
  );

function toDevice(check: DeviceCheck & { deviceId: string }, table: ReleaseTable): SimulatedDevice {
  return {
    id: check.deviceId,
    platform: platforms.indexOf(check.platform),
    appVersionCode: check.appVersionCode,
    pluginVersion: check.pluginVersion,
    runtime: check.runtime ?? null,
    bundleId: check.bundleId ?? null,
    requestedChannelNames: [...check.channelNames],
    forcedChannelId: table.forcedChannelIds.get(check.deviceId) ?? null,
  };
}

/** The releases after the change, with the forced devices as the update check sees them. */
function tableAfter({ after, forced }: SimulatedChange): ReleaseTable {
  const forcedChannelIds = new Map(after.forcedChannelIds);
  for (const [id, channel] of forced) {
    if (channel === null) forcedChannelIds.delete(id);
    else forcedChannelIds.set(id, channel);
  }
  return { ...after, forcedChannelIds };
}

describe('a simulation', () => {
  const always = (
    holds: (
      simulation: Simulation,
      change: SimulatedChange,
      devices: (DeviceCheck & { deviceId: string })[],
    ) => void,
  ): void =>
    fc.assert(
      fc.property(anyChange, anyDevices, (change, devices) => {
        const simulation = new Simulation(change, NOW);
        simulation.add(devices.map((device) => toDevice(device, change.before)));
        holds(simulation.count(), change, devices);
      }),
      { numRuns: 500 },
    );

  it('counts what each device gets by its own update check, before and after', () => {
    always((simulation, change, devices) => {
      const deployments: Record<string, BeforeAndAfter> = {};
      const without: Record<string, BeforeAndAfter> = {};
      let changed = 0;
      for (const device of devices) {
        const before = decideForDevice(change.before, device, clock);
        const after = decideForDevice(tableAfter(change), device, clock);
        if (before.deployment?.id !== after.deployment?.id) changed++;
        for (const [when, { deployment, reason }] of [
          ['before', before],
          ['after', after],
        ] as const) {
          const counts = deployment ? deployments : without;
          (counts[deployment?.id ?? reason] ??= { before: 0, after: 0 })[when]++;
        }
      }
      expect(Object.fromEntries(simulation.deployments.counts)).toEqual(deployments);
      expect(Object.fromEntries(simulation.without.counts)).toEqual(without);
      expect(simulation.all.changed).toBe(changed);
    });
  });

  it('counts every device once: as receiving, or as kept back for one reason', () => {
    always((simulation, _change, { length }) => {
      const { platforms: byPlatform, nativeVersions, pluginVersions } = simulation;
      expect(sum(simulation.all)).toBe(length);
      for (const { values } of [byPlatform, nativeVersions, pluginVersions]) {
        const counts = [...values.values()].map((value) => value.counts);
        expect(counts.reduce((total, each) => total + sum(each), 0)).toBe(length);
        expect(counts.reduce((total, { changed }) => total + changed, 0)).toBe(simulation.all.changed);
      }
    });
  });

  it('counts as receiving who gets the deployment that the change is about', () => {
    always((simulation, change, devices) => {
      const { subject } = change;
      if (subject.deploymentId === null) return;
      const receiving = devices.filter(
        (device) =>
          decideForDevice(tableAfter(change), device, clock).deployment?.id === subject.deploymentId,
      );
      expect(simulation.all.receiving).toBe(receiving.length);
    });
  });

  it('says "rollout" of those whom a full rollout would bring it', () => {
    always((simulation, change, devices) => {
      const { channelId: id, deploymentId } = change.subject;
      if (id === null || deploymentId === null) return;
      const full = rollingOut(tableAfter(change), id, deploymentId, 1).after;
      const gets = (table: ReleaseTable, device: DeviceCheck): boolean =>
        decideForDevice(table, device, clock).deployment?.id === deploymentId;
      const waiting = devices.filter((device) => gets(full, device) && !gets(tableAfter(change), device));
      expect(simulation.all.excluded.get('rollout') ?? 0).toBe(waiting.length);
    });
  });

  it('counts the same whether devices come at once or one by one', () => {
    always((simulation, change, devices) => {
      const other = new Simulation(change, NOW);
      for (const device of devices) {
        other.add([toDevice(device, change.before)]);
        other.count();
      }
      expect(other.all).toEqual(simulation.all);
      expect(other.deployments).toEqual(simulation.deployments);
    });
  });
});

function sum({ devices, receiving, excluded }: Counts): number {
  const kept = [...excluded.values()].reduce((total, count) => total + count, 0);
  expect(receiving + kept).toBe(devices);
  return devices;
}
