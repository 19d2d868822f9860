import type { ExcludedReason } from './excluded-devices.js';

/** Values of one kind that are counted separately. Devices choose them, so their number needs a bound. */
const MAX_VALUES = 10_000;

/** Counted devices. */
export class Counts {
  devices = 0;
  /** Those for which the deployment would change, from or to none included. */
  changed = 0;
  /** Those that would get the deployment of the change. */
  receiving = 0;
  readonly excluded = new Map<ExcludedReason, number>();

  /** @param excluded `null`: they get it */
  add(devices: number, isChanged: boolean, excluded: ExcludedReason | null): void {
    this.devices += devices;
    if (isChanged) this.changed += devices;
    if (excluded === null) this.receiving += devices;
    else this.excluded.set(excluded, (this.excluded.get(excluded) ?? 0) + devices);
  }
}

/** Counts by a value that devices report. Beyond `MAX_VALUES`, further values are counted together. */
export class CountsBy<T> {
  readonly values = new Map<string, { readonly value: T; readonly counts: Counts }>();
  readonly others = new Counts();

  /** The counts of a value. @param key identifies the value */
  of(key: string, value: T): Counts {
    let found = this.values.get(key);
    if (found === undefined) {
      if (this.values.size >= MAX_VALUES) return this.others;
      found = { value, counts: new Counts() };
      this.values.set(key, found);
    }
    return found.counts;
  }
}

/** Numbers of devices before and after a change. */
export interface BeforeAndAfter {
  before: number;
  after: number;
}

/** Counts `BeforeAndAfter` by a key. */
export class Shift<K> {
  readonly counts = new Map<K, BeforeAndAfter>();

  add(key: K, when: keyof BeforeAndAfter, devices: number): void {
    const found = this.counts.get(key);
    if (found) found[when] += devices;
    else this.counts.set(key, { before: 0, after: 0, [when]: devices });
  }
}
