import { decideForDevice } from '../channel-decision/device-decision.js';
import { reportedCheck } from '../decisions/reported-check.js';
import type { RemedyKind } from '../decisions/remedy.dto.js';
import type { ReleaseTable } from '../releases/release-table.js';
import { NO_ROLLBACKS } from '../releases/rollback-counts.js';
import type { ExcludedReason } from './excluded-devices.js';
import { unchanged } from './simulated-change.js';
import { type SimulatedDevice, Simulation } from './simulation.js';

/** A device that does not run what a deployment delivers. */
export interface LackingDevice extends SimulatedDevice {
  /** Whether it has rolled back any bundle, so that its own decision may differ from that of its group. */
  readonly hasRollbacks: boolean;
}

/** What would let devices get a deployment that one reason keeps from them; `null`: no change does. */
export const remedies: Readonly<Record<ExcludedReason, RemedyKind | null>> = {
  'no-default-channel': 'set-default-channel',
  'channel-not-found': 'create-channel',
  'forced-elsewhere': 'unforce-channel',
  'other-channel': null,
  'channel-paused': 'resume-channel',
  'channel-expired': 'extend-channel',
  'nothing-deployed': 'deploy',
  ready: 'publish-bundle',
  approved: 'approve-deployment',
  min: 'raise-native-version',
  max: 'lower-native-version',
  eq: 'change-native-version',
  protection: 'sign-bundle',
  'type-support': 'support-type',
  expiry: 'extend-bundle',
  damage: 'repair-bundle',
  'empty-files': 'support-type',
  'missing-checksum': 'register-checksum',
  rollback: 'offer-again',
  downgrade: 'deploy',
  reuse: 'change-files',
  'newer-deployment': null,
  rollout: 'raise-rollout',
};

/**
 * Counts why devices do not run what a deployment delivers: by a simulation of no change, which ignores roll-backs. So
 * devices with roll-backs are decided about one by one, with and without them.
 */
export class Blockers {
  private readonly simulation: Simulation;
  private readonly withoutRollbacks: ReleaseTable;
  private offered = 0;
  /** Devices that would get the deployment, if they had not rolled bundles back. */
  withheld = 0;

  constructor(
    private readonly table: ReleaseTable,
    private readonly deployment: { readonly id: string; readonly channelId: string },
    private readonly now: Date,
  ) {
    this.simulation = new Simulation(unchanged(table, deployment.channelId, deployment.id), now);
    this.withoutRollbacks = { ...table, rollbacks: NO_ROLLBACKS };
  }

  add(devices: readonly LackingDevice[]): void {
    this.simulation.add(devices.filter((device) => !device.hasRollbacks || !this.addByItself(device)));
  }

  /** Brings the counts up to date with what was added. */
  count(): this {
    this.simulation.count();
    return this;
  }

  /** Devices that get the deployment with their next check, or have got it and do not run it yet. */
  get atNextCheck(): number {
    return this.offered + this.simulation.all.receiving;
  }

  /** All devices. */
  get devices(): number {
    return this.offered + this.withheld + this.simulation.all.devices;
  }

  get excluded(): ReadonlyMap<ExcludedReason, number> {
    return this.simulation.all.excluded;
  }

  /** @returns whether the device was counted: it gets the deployment, or only its roll-backs keep it from that */
  private addByItself(device: LackingDevice): boolean {
    if (this.isOffered(this.table, device)) this.offered++;
    else if (this.isOffered(this.withoutRollbacks, device)) this.withheld++;
    else return false;
    return true;
  }

  private isOffered(table: ReleaseTable, device: LackingDevice): boolean {
    const check = reportedCheck(device.id, device);
    return decideForDevice(table, check, () => this.now).deployment?.id === this.deployment.id;
  }
}
