import type { DeviceState, CheckIn } from './check-in.js';
import { NO_SLOT, SlotIndex } from './slot-index.js';
import { TextRing } from './text-ring.js';

/** Share of the room from which on repeated sightings are left out. */
const CROWDED = 0.5;
/** Room for the ids of a sighting on average, in UTF-16 code units: a UUID has 36. */
const UNITS_EACH = 64;
/** Sightings of one device that wait for one another at most. */
const MOST_TURNS = 255;
/** Devices whose ids have the same hash at most: more were chosen to make it slow. */
const MOST_ALIKE = 32;
/** Instead of a slot: there are more. */
const TOO_MANY = -2;

/** What was left out for lack of room. */
export interface Dropped {
  /** Sightings of devices that were written not long ago, in the same state. */
  repeats: number;
  /** Others. */
  news: number;
}

/**
 * Sightings that are not written yet, one for each device and state; and behind them those that were taken out last,
 * which tell repeats from news. They are numbered as they come, and stand in slots, around and around. Their parts are
 * elements of arrays outside of the heap: as objects, which live for a moment only, they made V8 go through all of its
 * memory every few seconds.
 */
export class CheckInBuffer {
  private readonly states: DeviceState[] = [];
  /** The id of each device, with the custom one behind it. */
  private readonly ids: TextRing;
  private readonly idStarts: Float64Array;
  private readonly idLengths: Uint8Array;
  private readonly customIdLengths: Uint8Array;
  private readonly seenAt: Float64Array;
  /** 0: was taken out; 1: waits; more: waits behind so many others of its device. */
  private readonly turns: Uint8Array;
  /** The newest sighting of each device. */
  private readonly newest: SlotIndex;
  /** Numbers: of the oldest sighting that is still known, of the oldest that may wait, and of the next. */
  private oldest = 0;
  private head = 0;
  private next = 0;
  private idsEnd = 0;
  private count = 0;
  private dropped: Dropped = { repeats: 0, news: 0 };
  /** What was left out since the start. */
  readonly allDropped: Dropped = { repeats: 0, news: 0 };

  /** @param capacity sightings that are kept at most, those that were taken out among them; fewer when ids are long */
  constructor(private readonly capacity: number) {
    this.ids = new TextRing(capacity * UNITS_EACH);
    this.idStarts = new Float64Array(capacity);
    this.idLengths = new Uint8Array(capacity);
    this.customIdLengths = new Uint8Array(capacity);
    this.seenAt = new Float64Array(capacity);
    this.turns = new Uint8Array(capacity);
    this.newest = new SlotIndex(capacity);
  }

  /** Sightings that are not written yet. */
  get size(): number {
    return this.count;
  }

  /**
   * @param deviceId at most 255 characters, like
   * @param customId which may be empty: there is none
   * @param seenAt milliseconds
   */
  add(state: DeviceState, deviceId: string, customId: string, seenAt: number): void {
    const hash = this.newest.hashOf(deviceId);
    const earlier = this.newestOf(hash, state.appId, deviceId);
    const isKnown = earlier >= 0;
    const turn = isKnown ? (this.turns[earlier] ?? 0) : 0;
    const isRepeat = isKnown && this.tells(earlier, state, customId);
    if (isRepeat && turn > 0) this.seenAt[earlier] = seenAt;
    else if (
      (isRepeat && this.count >= this.capacity * CROWDED) ||
      earlier === TOO_MANY ||
      turn === MOST_TURNS ||
      !this.makeRoom(deviceId.length + customId.length)
    ) {
      this.drop(isRepeat ? 'repeats' : 'news');
    } else {
      if (isKnown) this.newest.remove(earlier);
      this.newest.add(hash, this.append(state, deviceId, customId, seenAt, turn + 1));
    }
  }

  /**
   * Takes sightings of different devices out, oldest first; none only when none wait.
   *
   * @param max how many at most
   * @returns their slots, which are theirs until `release`
   */
  take(max: number): number[] {
    const taken: number[] = [];
    while (taken.length === 0 && this.count > 0) {
      for (let number = this.head; number < this.next && taken.length < max; number++) {
        const slot = number % this.capacity;
        const turn = this.turns[slot] ?? 0;
        if (turn === 1) taken.push(slot);
        if (turn > 0) this.turns[slot] = turn - 1;
      }
      this.count -= taken.length;
    }
    return taken;
  }

  /** Lets slots be used again that were taken. */
  release(): void {
    while (this.head < this.next && this.turns[this.head % this.capacity] === 0) this.head++;
  }

  /** The sighting in a slot that was taken. */
  at(slot: number): CheckIn {
    const start = this.idStarts[slot] ?? 0;
    const idLength = this.idLengths[slot] ?? 0;
    const customIdLength = this.customIdLengths[slot] ?? 0;
    return {
      state: this.states[slot] as DeviceState,
      deviceId: this.ids.read(start, idLength),
      customId: customIdLength === 0 ? null : this.ids.read(start + idLength, customIdLength),
      seenAt: this.seenAt[slot] ?? 0,
    };
  }

  /** What was left out since the last time that somebody asked. */
  takeDropped(): Dropped {
    const { dropped } = this;
    this.dropped = { repeats: 0, news: 0 };
    return dropped;
  }

  private newestOf(hash: number, appId: string, deviceId: string): number {
    let slot = this.newest.first(hash);
    for (let steps = 0; slot !== NO_SLOT; slot = this.newest.after(slot)) {
      if (this.isOf(slot, appId, deviceId)) return slot;
      if (++steps === MOST_ALIKE) return TOO_MANY;
    }
    return NO_SLOT;
  }

  private isOf(slot: number, appId: string, deviceId: string): boolean {
    return (
      this.idLengths[slot] === deviceId.length &&
      this.ids.holds(deviceId, this.idStarts[slot] ?? 0) &&
      this.states[slot]?.appId === appId
    );
  }

  /** Whether the sighting tells all that one would tell, but the time. */
  private tells(slot: number, { json }: DeviceState, customId: string): boolean {
    return (
      this.states[slot]?.json === json &&
      this.customIdLengths[slot] === customId.length &&
      this.ids.holds(customId, (this.idStarts[slot] ?? 0) + (this.idLengths[slot] ?? 0))
    );
  }

  /** Forgets old sightings for one with so many units of ids. @returns false when they wait */
  private makeRoom(units: number): boolean {
    this.idsEnd = this.ids.placeFor(units, this.idsEnd);
    while (this.next - this.oldest === this.capacity || this.reachesOldest(this.idsEnd + units)) {
      if (this.oldest === this.head) return false;
      this.newest.remove(this.oldest++ % this.capacity);
    }
    return true;
  }

  private reachesOldest(idsEnd: number): boolean {
    const start = this.idStarts[this.oldest % this.capacity] ?? 0;
    return this.oldest < this.next && idsEnd - start > this.ids.size;
  }

  /** @returns its slot */
  private append(
    state: DeviceState,
    deviceId: string,
    customId: string,
    seenAt: number,
    turn: number,
  ): number {
    const slot = this.next++ % this.capacity;
    this.states[slot] = state;
    this.idStarts[slot] = this.idsEnd;
    this.idLengths[slot] = deviceId.length;
    this.customIdLengths[slot] = customId.length;
    this.idsEnd = this.ids.write(deviceId + customId, this.idsEnd);
    this.seenAt[slot] = seenAt;
    this.turns[slot] = turn;
    this.count++;
    return slot;
  }

  private drop(kind: keyof Dropped): void {
    this.dropped[kind]++;
    this.allDropped[kind]++;
  }
}
