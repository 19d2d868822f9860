import { setImmediate } from 'node:timers/promises';
import { compareVersions } from '../../common/compare-versions.js';
import { decideForDevice } from '../channel-decision/device-decision.js';
import { type Reported, reportedCheck } from '../decisions/reported-check.js';
import type { Platform, ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { NO_ROLLBACKS } from '../releases/rollback-counts.js';
import { decideForGroup, type GroupDecision, toGroupTable } from '../simulations/group-decision.js';
import type { SimulatedDevice } from '../simulations/simulation.js';

/** Devices that have reported the same and are forced to the same channel. */
export interface DeviceGroup extends Reported {
  readonly appVersionName: string;
  readonly forcedChannelId: string | null;
  /** How many. */
  readonly devices: number;
}

/** When devices are counted, and for how long. */
export interface Counting {
  readonly now: Date;
  /** Milliseconds that are left. Throws when there are none. */
  left(): number;
}

/** Decisions that are made before other requests are served. */
const SLICE = 100;

/** A native version as devices report it. */
export interface NativeVersion {
  readonly code: string;
  readonly name: string;
}

/** What one constraint of a build means for the devices of a platform. */
export interface ConstraintCounts {
  readonly platform: Platform;
  readonly bound: 'min' | 'max' | 'eq';
  /** The version of the constraint. */
  readonly required: string;
  /** Devices of the platform whose channel has the build. */
  readonly devices: number;
  /** Devices among them that it keeps from the build. */
  readonly excluded: number;
  /** What most of those report; `null`: there are none. */
  readonly mostExcluded: NativeVersion | null;
  /** Devices whose version code is the one of the constraint. */
  readonly withCode: number;
  /** What most devices report whose version name is the one of the constraint; `null`: there are none. */
  readonly mostNamed: NativeVersion | null;
}

const BOUNDS = ['min', 'max', 'eq'] as const;

/**
 * Counts what the constraints of a deployment mean, each for itself.
 *
 * @param channelIds where it goes; `null`: to all channels
 */
export async function countConstraints(
  table: ReleaseTable,
  groups: readonly DeviceGroup[],
  deployment: ReleaseDeployment,
  channelIds: readonly string[] | null,
  counting: Counting,
): Promise<ConstraintCounts[]> {
  const tallies = new Map<string, ConstraintTally>();
  const offered = offering(table, deployment, channelIds);
  for await (const [group, { steps }] of decisions(offered, groups, counting)) {
    const { platform } = reportedCheck(null, group);
    for (const { check, passed, required } of steps[0]?.checks ?? []) {
      const bound = BOUNDS.find((each) => each === check);
      if (bound === undefined || typeof required !== 'string') continue;
      const tally = tallies.get(platform + bound) ?? new ConstraintTally(platform, bound, required);
      tallies.set(platform + bound, tally);
      tally.add(group, passed);
    }
  }
  return [...tallies.values()].map((tally) => tally.count());
}

class ConstraintTally {
  private devices = 0;
  private excluded = 0;
  private withCode = 0;
  private readonly codesExcluded = new Map<string, number>();
  private readonly codesNamed = new Map<string, number>();

  constructor(
    private readonly platform: Platform,
    private readonly bound: ConstraintCounts['bound'],
    private readonly required: string,
  ) {}

  add({ appVersionCode: code, appVersionName: name, devices }: DeviceGroup, passed: boolean): void {
    this.devices += devices;
    if (!passed) this.excluded += devices;
    if (compareVersions(code, this.required, this.platform) === 0) this.withCode += devices;
    // No text of a device has a NUL.
    const version = `${code}\0${name}`;
    if (!passed) addTo(this.codesExcluded, version, devices);
    if (name === this.required) addTo(this.codesNamed, version, devices);
  }

  count(): ConstraintCounts {
    const { platform, bound, required, devices, excluded, withCode } = this;
    const mostExcluded = versionOf(this.codesExcluded);
    const mostNamed = versionOf(this.codesNamed);
    return { platform, bound, required, devices, excluded, mostExcluded, withCode, mostNamed };
  }
}

function versionOf(counts: ReadonlyMap<string, number>): NativeVersion | null {
  const [code = '', name = ''] = mostFrequent(counts)?.split('\0') ?? [];
  return counts.size === 0 ? null : { code, name };
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | null {
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/** How many devices of a channel there are, and from how many something newer hides a deployment. */
export interface HiddenCounts {
  readonly devices: number;
  readonly hidden: number;
  /** What most of those get instead; `null`: there are none. */
  readonly newerId: string | null;
}

/** Counts the devices of a channel, and those that get something newer than a deployment, whatever its share is. */
export async function countHidden(
  table: ReleaseTable,
  groups: readonly DeviceGroup[],
  { channelId, deploymentId }: { readonly channelId: string; readonly deploymentId: string },
  counting: Counting,
): Promise<HiddenCounts> {
  let devices = 0;
  const newer = new Map<string, number>();
  const delivering = withChannel(table, channelId, { pausedAt: null, expiresAt: null });
  for await (const [group, { channel, steps }] of decisions(delivering, groups, counting)) {
    if (channel?.id !== channelId) continue;
    devices += group.devices;
    // The steps end with the first deployment that all of the group get.
    const last = steps.at(-1);
    if (last === undefined || steps.some((step) => step.deploymentId === deploymentId)) continue;
    addTo(newer, last.deploymentId, group.devices);
  }
  const hidden = [...newer.values()].reduce((sum, count) => sum + count, 0);
  return { devices, hidden, newerId: mostFrequent(newer) };
}

/** Why a device gets no update. */
export type LossReason = GroupDecision['reason'];

/** Counts the devices that get an update now and none after a change, by the reason. */
export async function countLosses(
  before: ReleaseTable,
  after: ReleaseTable,
  groups: readonly DeviceGroup[],
  counting: Counting,
): Promise<ReadonlyMap<LossReason, number>> {
  const counts = new Map<LossReason, number>();
  const changed = toGroupTable(after);
  for await (const [group, decision] of decisions(before, groups, counting)) {
    if (!isServed(decision)) continue;
    const next = decideForGroup(changed, reportedCheck(null, group), group.forcedChannelId, counting.now);
    if (!isServed(next)) addTo(counts, next.reason, group.devices);
  }
  return counts;
}

/** Whether some devices of a group get something. */
function isServed({ candidates, unsafeIds }: GroupDecision): boolean {
  return candidates.some(({ id, rolloutPercentage }) => rolloutPercentage > 0 && !unsafeIds.has(id));
}

/** Finds the devices that would get a deployment, had they not rolled its bundle back too often. */
export async function findBlocked(
  table: ReleaseTable,
  devices: readonly SimulatedDevice[],
  deployment: ReleaseDeployment,
  channelId: string,
  counting: Counting,
): Promise<SimulatedDevice[]> {
  const offered = offering(table, deployment, [channelId]);
  const forgotten = { ...offered, rollbacks: NO_ROLLBACKS };
  const gets = (of: ReleaseTable, device: SimulatedDevice): boolean =>
    decideForDevice(of, reportedCheck(device.id, device), () => counting.now).deployment !== null;
  const blocked: SimulatedDevice[] = [];
  for await (const device of inSlices(devices, counting)) {
    if (!gets(offered, device) && gets(forgotten, device)) blocked.push(device);
  }
  return blocked;
}

/** The table with other settings of a channel. */
export function withChannel(
  table: ReleaseTable,
  channelId: string,
  changes: Partial<ReleaseChannel>,
): ReleaseTable {
  const channels = table.channels.map((channel) =>
    channel.id === channelId ? { ...channel, ...changes } : channel,
  );
  return { ...table, channels };
}

const NONE_RETIRED: ReleaseChannel['retiredBundles'] = new Map();

/** The table as if a deployment were the only one, and nothing but its constraints and roll-backs kept it from devices. */
function offering(
  table: ReleaseTable,
  deployment: ReleaseDeployment,
  channelIds: readonly string[] | null,
): ReleaseTable {
  const bundle = { ...deployment.bundle, status: 'ready', expiresAt: null, damaged: false } as const;
  const only = { ...deployment, approvalStatus: 'approved', rolloutPercentage: 1, bundle } as const;
  const state = { pausedAt: null, expiresAt: null, protectedAt: null, retiredBundles: NONE_RETIRED };
  const channels = table.channels.map((channel) => ({
    ...channel,
    ...state,
    deployments: channelIds === null || channelIds.includes(channel.id) ? [only] : [],
  }));
  return { ...table, channels };
}

async function* decisions(
  table: ReleaseTable,
  groups: readonly DeviceGroup[],
  counting: Counting,
): AsyncGenerator<readonly [DeviceGroup, GroupDecision]> {
  const prepared = toGroupTable(table);
  for await (const group of inSlices(groups, counting)) {
    yield [
      group,
      decideForGroup(prepared, reportedCheck(null, group), group.forcedChannelId, counting.now),
    ] as const;
  }
}

/** Lets other requests be served in between, and ends when the time is over. */
async function* inSlices<T>(items: readonly T[], counting: Counting): AsyncGenerator<T> {
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    if (index % SLICE === 0) counting.left();
    yield item;
  }
}

function addTo<Key>(counts: Map<Key, number>, key: Key, devices: number): void {
  counts.set(key, (counts.get(key) ?? 0) + devices);
}
