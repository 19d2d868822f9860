import type { ClientConnection } from '../../common/request-origin/client-connection.js';
import { type CheckIn, deviceIdOf, deviceKeyOf, type DeviceState } from './check-in.js';
import { TakenCheckIns } from './taken-check-ins.js';

/** Share of the capacity from which on duplicates are dropped. */
const CROWDED = 0.5;
/** Check-ins of one device that wait at most. */
const MAX_PER_DEVICE = 255;
/** Characters of ids for which a check-in takes one place: a UUID has 36. */
const CHARACTERS_PER_PLACE = 128;

/** Check-ins that were dropped for lack of room. */
export interface Dropped {
  /** Those of devices that were written not long ago, in the same state. */
  duplicates: number;
  /** Others. */
  changes: number;
}

/**
 * Check-ins that are not written yet: one for each device and state. When it is crowded, it also drops duplicates of those
 * that were taken out recently.
 */
export class CheckInBuffer {
  /** The first waiting check-in of each device. */
  private readonly first = new Map<string, CheckIn>();
  /** The waiting check-ins behind it, of devices whose state has changed since. */
  private readonly later = new Map<string, CheckIn[]>();
  private readonly taken: TakenCheckIns;
  private count = 0;
  private places = 0;
  private dropped: Dropped = { duplicates: 0, changes: 0 };
  /** All that were dropped since the start. */
  readonly allDropped: Dropped = { duplicates: 0, changes: 0 };

  /** @param capacity check-ins that wait at most; fewer when ids are long */
  constructor(private readonly capacity: number) {
    this.taken = new TakenCheckIns(capacity);
  }

  /** Check-ins that are not written yet. */
  get size(): number {
    return this.count;
  }

  /**
   * @param deviceId at most 255 characters, like `customId`
   * @param customId empty: there is none
   * @param seenAt milliseconds
   */
  add(
    state: DeviceState,
    deviceId: string,
    customId: string,
    seenAt: number,
    connection: ClientConnection | null,
  ): void {
    const key = deviceKeyOf(state.appId, deviceId);
    const first = this.first.get(key);
    const later = first && this.later.get(key);
    const waiting = later?.at(-1) ?? first;
    if (isDuplicate(waiting, state, customId)) {
      waiting.seenAt = seenAt;
      return;
    }
    const isCrowded = this.places >= this.capacity * CROWDED;
    if (isCrowded && waiting === undefined && isDuplicate(this.taken.lastOf(key), state, customId)) {
      this.drop('duplicates');
      return;
    }
    const places = placesOf(deviceId, customId);
    if (this.places + places > this.capacity || later?.length === MAX_PER_DEVICE - 1) {
      this.drop('changes');
      return;
    }
    const checkIn = {
      state,
      key,
      // Parts of strings keep the whole string, here the address of the request.
      customId: customId === '' ? null : copyOf(customId),
      seenAt,
      connection,
    };
    if (first === undefined) this.first.set(key, checkIn);
    else if (later === undefined) this.later.set(key, [checkIn]);
    else later.push(checkIn);
    this.count++;
    this.places += places;
  }

  /**
   * Takes check-ins of different devices out, those of one device in their order; none only when none wait.
   *
   * @param max how many at most
   */
  take(max: number): CheckIn[] {
    const taken: CheckIn[] = [];
    const next: [key: string, CheckIn][] = [];
    for (const [key, checkIn] of this.first) {
      if (taken.length === max) break;
      taken.push(checkIn);
      this.places -= placesOf(deviceIdOf(checkIn), checkIn.customId ?? '');
      this.first.delete(key);
      const later = this.later.get(key);
      if (later === undefined) continue;
      next.push([key, later.shift() as CheckIn]);
      if (later.length === 0) this.later.delete(key);
    }
    // Afterwards, because the loop would reach them, too.
    for (const [key, checkIn] of next) this.first.set(key, checkIn);
    this.count -= taken.length;
    this.taken.add(taken);
    return taken;
  }

  /** What was dropped since the last call. */
  takeDropped(): Dropped {
    const { dropped } = this;
    this.dropped = { duplicates: 0, changes: 0 };
    return dropped;
  }

  private drop(kind: keyof Dropped): void {
    this.dropped[kind]++;
    this.allDropped[kind]++;
  }
}

function isDuplicate(last: CheckIn | undefined, state: DeviceState, customId: string): last is CheckIn {
  return last !== undefined && last.state.json === state.json && (last.customId ?? '') === customId;
}

function placesOf(deviceId: string, customId: string): number {
  return Math.ceil((deviceId.length + customId.length) / CHARACTERS_PER_PLACE) || 1;
}

function copyOf(text: string): string {
  return `/${text}`.slice(1);
}
