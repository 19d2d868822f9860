const MINUTE = 60_000;
/** How long a read counts, in minutes. */
const WINDOW = 60;
/** With fewer reads than this, every damage counts as that of a single file. */
const MIN_READS = 100;
/** Share of reads that may find damage. */
const MAX_SHARE = 0.01;

interface Reads {
  total: number;
  damaged: number;
}

/**
 * Tells damage of single files from a fault of the storage as a whole, such as another disk in its place: then more than
 * 1 % of the reads of an hour find damage, and files must not be marked as damaged any more.
 */
export class DamageLimit {
  /** The reads of each minute, by its number, the oldest first. */
  private readonly minutes = new Map<number, Reads>();

  /** Minutes that are remembered. */
  get size(): number {
    return this.minutes.size;
  }

  /** Counts one read. @param damaged whether it found damage that was not known @param now Unix milliseconds */
  count(damaged: boolean, now: number): void {
    this.forget(now);
    const minute = Math.floor(now / MINUTE);
    const reads = this.minutes.get(minute) ?? { total: 0, damaged: 0 };
    reads.total++;
    if (damaged) reads.damaged++;
    this.minutes.set(minute, reads);
  }

  /** Whether a read that finds damage now is still within the limit. @param now Unix milliseconds */
  allowsMore(now: number): boolean {
    this.forget(now);
    let total = 1;
    let damaged = 1;
    for (const reads of this.minutes.values()) {
      total += reads.total;
      damaged += reads.damaged;
    }
    return total < MIN_READS || damaged <= total * MAX_SHARE;
  }

  private forget(now: number): void {
    const oldest = Math.floor(now / MINUTE) - WINDOW;
    for (const minute of this.minutes.keys()) {
      if (minute > oldest) break;
      this.minutes.delete(minute);
    }
  }
}
