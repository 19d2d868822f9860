import { type Sighting, tellTheSame } from './sighting.js';

/** Share of the room from which on repeated sightings are left out. */
const CROWDED = 0.5;

/** What was left out for lack of room. */
export interface Dropped {
  /** Sightings of devices that were written not long ago, in the same state. */
  repeats: number;
  /** Others. */
  news: number;
}

/**
 * Sightings that are not written yet: one for each device and state. A device that has changed in between stands in a
 * later round, so that each round has a device once and what happened to it (such as going back to an older bundle) is
 * written in order.
 */
export class SightingBuffer {
  /** By device; oldest round first. */
  private rounds: Map<string, Sighting>[] = [];
  /**
   * Those that were written last while there was little room, by device: they tell news from repeats. When the newer
   * ones have become many, they are the older ones, and those before are forgotten.
   */
  private written = { newer: new Map<string, Sighting>(), older: new Map<string, Sighting>() };
  private dropped: Dropped = { repeats: 0, news: 0 };
  /** What was left out since the start. */
  readonly allDropped: Dropped = { repeats: 0, news: 0 };
  private count = 0;

  /** @param capacity sightings that are kept at most; of so many that were written the state may be known, too */
  constructor(private readonly capacity: number) {}

  /** Sightings that are not written yet. */
  get size(): number {
    return this.count;
  }

  add(sighting: Sighting): void {
    const { key } = sighting;
    let round = this.rounds.length;
    let earlier: Sighting | undefined;
    while (earlier === undefined && round > 0) earlier = this.rounds[--round]?.get(key);
    if (earlier === undefined) {
      if (this.hasRoomFor(sighting)) this.put(0, sighting);
    } else if (tellTheSame(earlier, sighting)) {
      earlier.seenAt = sighting.seenAt;
    } else if (this.hasRoomFor(sighting)) {
      this.put(round + 1, sighting);
    }
  }

  /** Takes sightings of different devices out, oldest first. @param max how many at most */
  take(max: number): Sighting[] {
    const [round] = this.rounds;
    if (round === undefined) return [];
    const taken: Sighting[] = [];
    for (const sighting of round.values()) {
      if (taken.push(sighting) === max) break;
    }
    if (taken.length === round.size) this.rounds.shift();
    else for (const { key } of taken) round.delete(key);
    this.count -= taken.length;
    return taken;
  }

  /** Puts what could not be written back to where it was: before everything else. */
  putBack(sightings: readonly Sighting[]): void {
    this.rounds.unshift(new Map(sightings.map((sighting) => [sighting.key, sighting])));
    this.count += sightings.length;
  }

  /** Remembers what was written, once that may be needed soon. */
  markWritten(sightings: readonly Sighting[]): void {
    if (this.count < (this.capacity * CROWDED) / 2) {
      if (this.written.newer.size > 0) this.written = { newer: new Map(), older: new Map() };
      return;
    }
    for (const sighting of sightings) {
      if (this.written.newer.size >= this.capacity / 2) {
        this.written = { newer: new Map(), older: this.written.newer };
      }
      this.written.newer.set(sighting.key, sighting);
    }
  }

  /** What was left out since the last time that somebody asked. */
  takeDropped(): Dropped {
    const { dropped } = this;
    this.dropped = { repeats: 0, news: 0 };
    return dropped;
  }

  private hasRoomFor(sighting: Sighting): boolean {
    if (this.count < this.capacity * CROWDED) return true;
    const written = this.written.newer.get(sighting.key) ?? this.written.older.get(sighting.key);
    const repeats = written !== undefined && tellTheSame(written, sighting);
    if (!repeats && this.count < this.capacity) return true;
    const kind = repeats ? 'repeats' : 'news';
    this.dropped[kind]++;
    this.allDropped[kind]++;
    return false;
  }

  private put(round: number, sighting: Sighting): void {
    (this.rounds[round] ??= new Map()).set(sighting.key, sighting);
    this.count++;
  }
}
