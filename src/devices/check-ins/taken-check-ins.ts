import type { CheckIn } from './check-in.js';

/**
 * The check-ins that were taken out of a buffer last, batch by batch, to recognize duplicates. They are found by device only
 * once one is looked for: most servers never do that.
 */
export class TakenCheckIns {
  /** Oldest first. */
  private readonly batches: (readonly CheckIn[])[] = [];
  private count = 0;
  /** The last check-in of each device, of the oldest batches. */
  private readonly byDevice = new Map<string, CheckIn>();
  /** How many of the oldest batches. */
  private indexed = 0;

  /** @param max check-ins that are remembered at most */
  constructor(private readonly max: number) {}

  add(batch: readonly CheckIn[]): void {
    if (batch.length === 0) return;
    this.batches.push(batch);
    this.count += batch.length;
    while (this.count > this.max) this.forgetOldest();
  }

  /** @param key `deviceKeyOf` */
  lastOf(key: string): CheckIn | undefined {
    for (; this.indexed < this.batches.length; this.indexed++) {
      for (const checkIn of this.batches[this.indexed] ?? []) this.byDevice.set(checkIn.key, checkIn);
    }
    return this.byDevice.get(key);
  }

  private forgetOldest(): void {
    const batch = this.batches.shift() ?? [];
    this.count -= batch.length;
    if (this.indexed === 0) return;
    this.indexed--;
    for (const checkIn of batch) {
      if (this.byDevice.get(checkIn.key) === checkIn) this.byDevice.delete(checkIn.key);
    }
  }
}
