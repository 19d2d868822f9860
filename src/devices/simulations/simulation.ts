import { withAsciiDigits } from '../../common/decimal-digits.js';
import { type DecisionReason, UNKNOWN_BUNDLE_ID } from '../channel-decision/decision.js';
import type { Platform } from '../releases/release-table.js';
import { reportedCheck, type Reported } from '../decisions/reported-check.js';
import {
  decideForGroup,
  type GroupDecision,
  type GroupTable,
  candidateIndexOf,
  toGroupTable,
} from './group-decision.js';
import { excluded } from './excluded-devices.js';
import type { SimulatedChange } from './simulated-change.js';
import { Counts, CountsBy, Shift } from './tally.js';

/** A known device. */
export interface SimulatedDevice extends Reported {
  readonly id: string;
  readonly forcedChannelId: string | null;
}

/** Devices that say the same, and are forced to the same channels. */
interface Group {
  readonly platform: Platform;
  readonly reported: Reported;
  readonly before: GroupDecision;
  readonly after: GroupDecision;
  /** Whether their channel would be forced. */
  readonly forced: boolean;
  /** Devices by what they get before and after: candidate indexes among the candidates, as one number. */
  readonly devices: Map<number, number>;
}

/** Groups that are remembered at once: what devices say is theirs, so there may be any number. */
const MAX_GROUPS = 5_000;
/** More than there are candidates in any group. */
const MAX_CANDIDATES = 1_000;

/** Counts what devices get now and what they would get after a change. Needs the memory of its groups only. */
export class Simulation {
  readonly all = new Counts();
  readonly platforms = new CountsBy<Platform>();
  readonly nativeVersions = new CountsBy<{ platform: Platform; appVersionCode: string }>();
  readonly pluginVersions = new CountsBy<{ pluginVersion: string; runtime: string | null }>();
  /** By id of the deployment. */
  readonly deployments = new Shift<string>();
  /** Devices that get nothing, by reason. */
  readonly without = new Shift<Exclude<DecisionReason, 'served'>>();
  private readonly before: GroupTable;
  private readonly after: GroupTable;
  /** Bundles that decisions depend on. */
  private readonly bundleIds: ReadonlySet<string>;
  private readonly knownBundles: ReadonlySet<string> | null;
  private readonly groups = new Map<string, Group>();

  constructor(
    private readonly change: SimulatedChange,
    private readonly now: Date,
  ) {
    this.before = toGroupTable(change.before);
    this.after = toGroupTable(change.after);
    this.knownBundles = change.before.knownBundles;
    const channels = [change.before, change.after].flatMap((table) => table.channels);
    this.bundleIds = new Set(
      channels.flatMap(({ deployments, retiredBundles }) => [
        ...retiredBundles.keys(),
        ...deployments.flatMap(({ bundle }) => [bundle.id, ...bundle.unsafeReuses.keys()]),
      ]),
    );
  }

  /** Decides about devices, before and after the change. */
  add(devices: readonly SimulatedDevice[]): void {
    for (const device of devices) {
      const group = this.groupOf(device);
      const outcome =
        candidateIndexOf(group.before, device.id) * MAX_CANDIDATES + candidateIndexOf(group.after, device.id);
      group.devices.set(outcome, (group.devices.get(outcome) ?? 0) + 1);
    }
  }

  /** Brings the counts up to date with what was added. */
  count(): this {
    for (const group of this.groups.values()) this.countGroup(group);
    this.groups.clear();
    return this;
  }

  private groupOf(device: SimulatedDevice): Group {
    const { forcedChannelId } = device;
    const forced = this.change.forced.get(device.id);
    const forcedAfter = forced === undefined ? forcedChannelId : forced;
    const names = device.requestedChannelNames;
    // Of strangers' texts, only those that the decision knows make separate groups.
    const bundleId = this.isKnown(device.bundleId ?? '')
      ? device.bundleId
      : device.bundleId && UNKNOWN_BUNDLE_ID;
    // No text of a device holds a NUL.
    const key = `${device.platform}\0${bundleId ?? ''}\0${device.appVersionCode}\0${device.pluginVersion}\0${device.runtime ?? '\0'}\0${
      forcedChannelId ?? ''
    }\0${forcedAfter ?? ''}\0${names.length === 0 ? '' : names.join('\0')}`;
    let group = this.groups.get(key);
    if (group === undefined) {
      if (this.groups.size >= MAX_GROUPS) this.count();
      const check = reportedCheck(null, { ...device, bundleId });
      group = {
        platform: check.platform,
        reported: device,
        before: decideForGroup(this.before, check, forcedChannelId, this.now),
        after: decideForGroup(this.after, check, forcedAfter, this.now),
        forced: forcedAfter !== null,
        devices: new Map(),
      };
      this.groups.set(key, group);
    }
    return group;
  }

  private isKnown(bundleId: string): boolean {
    return this.bundleIds.has(bundleId) || (this.knownBundles?.has(bundleId) ?? false);
  }

  /** Counts what devices get. @returns the deployment; `null`: none */
  private countOffer(
    { candidates, unsafeIds, reason }: GroupDecision,
    index: number,
    when: 'before' | 'after',
    devices: number,
  ): string | null {
    const candidate = candidates[index];
    if (candidate === undefined || unsafeIds.has(candidate.id)) {
      this.without.add(candidate === undefined ? reason : 'unsafe-reuse', when, devices);
      return null;
    }
    this.deployments.add(candidate.id, when, devices);
    return candidate.id;
  }

  private countGroup({ platform, reported, before, after, forced, devices: outcomes }: Group): void {
    const { pluginVersion, runtime } = reported;
    const appVersionCode = withAsciiDigits(reported.appVersionCode);
    const counts = [
      this.all,
      this.platforms.of(platform, platform),
      this.nativeVersions.of(`${platform}\0${appVersionCode}`, { platform, appVersionCode }),
      this.pluginVersions.of(`${pluginVersion}\0${runtime ?? '\0'}`, { pluginVersion, runtime }),
    ];
    for (const [outcome, devices] of outcomes) {
      const candidateIndex = outcome % MAX_CANDIDATES;
      const served = this.countOffer(before, Math.floor(outcome / MAX_CANDIDATES), 'before', devices);
      const next = this.countOffer(after, candidateIndex, 'after', devices);
      const reason = excluded(this.change.subject, after, candidateIndex, forced);
      for (const each of counts) each.add(devices, served !== next, reason);
    }
  }
}
