import { LRUCache } from 'lru-cache';

/** A value that was read from the database. */
interface Confirmed<V> {
  readonly value: V;
  /** Until when it is known to be current, in milliseconds of `performance.now()`. Not its age in the cache. */
  confirmedUntil: number;
}

/** How large a cache may become. */
export interface CacheBounds<V> {
  /** The sum of all sizes. */
  readonly maxSize: number;
  readonly sizeOf: (value: V) => number;
  /** Called for each value that is removed or replaced. */
  readonly removed?: (key: string) => void;
}

/**
 * Values that were read from the database, least recently used out. A value stays when it is no longer confirmed, so that
 * it can be served while the database is not available.
 */
export class ConfirmedCache<V> {
  private readonly entries: LRUCache<string, Confirmed<V>>;

  constructor({ maxSize, sizeOf, removed }: CacheBounds<V>) {
    this.entries = new LRUCache({
      maxSize,
      sizeCalculation: ({ value }) => sizeOf(value),
      ...(removed === undefined ? {} : { dispose: (_entry, key) => removed(key) }),
    });
  }

  get count(): number {
    return this.entries.size;
  }

  get size(): number {
    return this.entries.calculatedSize;
  }

  /** @returns the value if it was confirmed later than `since` */
  get(key: string, since: number): V | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && entry.confirmedUntil > since ? entry.value : undefined;
  }

  /** As `get`, whenever it was confirmed, and without counting as a use. */
  peek(key: string): V | undefined {
    return this.entries.peek(key)?.value;
  }

  set(key: string, value: V, confirmedUntil: number): void {
    this.entries.set(key, { value, confirmedUntil });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Deletes the values that match. */
  deleteWhere(matches: (value: V) => boolean): void {
    for (const [key, { value }] of this.entries) if (matches(value)) this.entries.delete(key);
  }

  /** From `now` on, no value is known to be current. */
  unconfirm(now: number): void {
    for (const entry of this.entries.values()) {
      entry.confirmedUntil = Math.min(entry.confirmedUntil, now);
    }
  }

  /** From `now` on, this value is not known to be current. */
  unconfirmOne(key: string, now: number): void {
    const entry = this.entries.peek(key);
    if (entry !== undefined) entry.confirmedUntil = Math.min(entry.confirmedUntil, now);
  }

  /** Whether a value was confirmed later than `since`. */
  hasConfirmed(since: number): boolean {
    for (const { confirmedUntil } of this.entries.values()) if (confirmedUntil > since) return true;
    return false;
  }

  /** The key that was used last; `undefined`: it is empty. */
  get latestKey(): string | undefined {
    for (const key of this.entries.keys()) return key;
    return undefined;
  }
}
