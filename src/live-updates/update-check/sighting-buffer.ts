import type { Sighting } from './sighting.js';

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
  /** States that were written last while there was little room, by device, oldest first: they tell news from repeats. */
  private readonly written = new Map<string, string>();
  private dropped: Dropped = { repeats: 0, news: 0 };
  /** What was left out since the start. */
  readonly allDropped: Dropped = { repeats: 0, news: 0 };
  private count = 0;

  /** @param capacity sightings that are kept at most; of so many that were written the state may be known */
  constructor(private readonly capacity: number) {}

  /** Sightings that are not written yet. */
  get size(): number {
    return this.count;
  }

  add(sighting: Sighting): void {
    const { key, state } = sighting;
    const round = this.rounds.findLastIndex((devices) => devices.has(key));
    const devices = this.rounds[round];
    if (devices?.get(key)?.state === state) devices.set(key, sighting);
    else if (this.hasRoomFor(sighting)) this.put(round + 1, sighting);
  }

  /** Takes sightings of different devices out, oldest first. @param max how many at most */
  take(max: number): Sighting[] {
    const [round] = this.rounds;
    if (round === undefined) return [];
    const taken: Sighting[] = [];
    for (const [key, sighting] of round) {
      if (taken.length === max) break;
      round.delete(key);
      taken.push(sighting);
    }
    if (round.size === 0) this.rounds.shift();
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
      this.written.clear();
      return;
    }
    for (const { key, state } of sightings) {
      this.written.delete(key);
      this.written.set(key, state);
    }
    for (const key of this.written.keys()) {
      if (this.written.size <= this.capacity) break;
      this.written.delete(key);
    }
  }

  /** What was left out since the last time that somebody asked. */
  takeDropped(): Dropped {
    const { dropped } = this;
    this.dropped = { repeats: 0, news: 0 };
    return dropped;
  }

  private hasRoomFor({ key, state }: Sighting): boolean {
    if (this.count < this.capacity * CROWDED) return true;
    const repeats = this.written.get(key) === state;
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
