import type { ReleaseChannel, ReleaseDeployment } from '../releases/release-table.js';
import type { SimulatedChange } from './simulated-change.js';
import type { BreakdownDto, DeploymentCountsDto, DeviceCountsDto, SimulationDto } from './simulation.dto.js';
import type { Simulation } from './simulation.js';
import type { Counts, CountsBy, BeforeAndAfter } from './tally.js';

/** Values of one kind that are shown. */
const SHOWN_VALUES = 100;

/** What was counted, and of whom. */
export interface SimulationOutcome {
  readonly change: SimulatedChange;
  readonly simulation: Simulation;
  readonly now: Date;
  readonly seenSince: Date;
  readonly knownDevices: number;
}

/** What is shown of a simulation. */
export function toSimulationDto(outcome: SimulationOutcome): SimulationDto {
  const { change, simulation, now, seenSince, knownDevices } = outcome;
  const evaluatedDevices = simulation.all.devices;
  const share = change.added?.rolloutPercentage ?? 1;
  return {
    simulatedAt: now.toISOString(),
    seenSince: seenSince.toISOString(),
    knownDevices,
    evaluatedDevices,
    isExact: evaluatedDevices === knownDevices && (share === 0 || share === 1),
    total: toCounts(simulation.all),
    deployments: toDeployments(change, simulation.deployments.counts),
    withoutUpdate: [...simulation.without.counts]
      .map(([reason, { before, after }]) => ({ reason, before, after }))
      .sort((a, b) => b.after - a.after),
    breakdown: toBreakdown(simulation),
  };
}

function toCounts({ devices, changed, receiving, excluded }: Counts): DeviceCountsDto {
  return {
    devices,
    changed,
    receiving,
    excluded: [...excluded]
      .map(([reason, devices]) => ({ reason, devices }))
      .sort((a, b) => b.devices - a.devices),
  };
}

function toBreakdown({ platforms, nativeVersions, pluginVersions }: Simulation): BreakdownDto {
  const native = mostFrequent(nativeVersions);
  const plugin = mostFrequent(pluginVersions);
  return {
    platforms: mostFrequent(platforms).shown.map(([platform, counts]) => ({ platform, ...counts })),
    nativeVersions: native.shown.map(([{ platform, appVersionCode }, counts]) => ({
      platform,
      appVersionCode,
      ...counts,
    })),
    otherNativeVersions: native.others,
    pluginVersions: plugin.shown.map(([{ pluginVersion, runtime }, counts]) => ({
      pluginVersion,
      runtime,
      ...counts,
    })),
    otherPluginVersions: plugin.others,
  };
}

function mostFrequent<T>({ values, others }: CountsBy<T>): {
  shown: [T, DeviceCountsDto][];
  others: number;
} {
  const sorted = [...values.values()].sort((a, b) => b.counts.devices - a.counts.devices);
  const rest = sorted.slice(SHOWN_VALUES).reduce((sum, { counts }) => sum + counts.devices, others.devices);
  return {
    shown: sorted.slice(0, SHOWN_VALUES).map(({ value, counts }) => [value, toCounts(counts)]),
    others: rest,
  };
}

function toDeployments(
  { before, after, added }: SimulatedChange,
  counts: ReadonlyMap<string, BeforeAndAfter>,
): DeploymentCountsDto[] {
  const found = new Map<string, [ReleaseChannel, ReleaseDeployment]>();
  for (const channel of [...before.channels, ...after.channels]) {
    for (const deployment of channel.deployments) found.set(deployment.id, [channel, deployment]);
  }
  return [...counts]
    .flatMap(([id, shift]) => {
      const [channel, deployment] = found.get(id) ?? [];
      if (channel === undefined || deployment === undefined) return [];
      return {
        appDeploymentId: id === added?.id ? null : id,
        appChannelId: channel.id,
        appChannelName: channel.name,
        bundleId: deployment.bundle.id,
        before: shift.before,
        after: shift.after,
      };
    })
    .sort((a, b) => b.after - a.after || b.before - a.before);
}
