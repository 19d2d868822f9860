import type { ReleaseStatus, StoreRelease } from '../releases/store-release.entity.js';

const DAY = 24 * 3600;

/** How often a store is asked, by the age of the status in seconds: so many times the base, which is five minutes by default. */
const INTERVALS: readonly { readonly untilAge: number; readonly times: number }[] = [
  { untilAge: DAY, times: 1 },
  { untilAge: 7 * DAY, times: 3 },
  { untilAge: 30 * DAY, times: 12 },
  { untilAge: Infinity, times: 72 },
];
const LONGEST = 72;

/** Age of a status, in seconds, from which a store is asked no more. */
const LAST_AGE = 90 * DAY;

/** Nothing is expected after these, so one more look has to say the same. */
const FINAL: readonly ReleaseStatus[] = ['released', 'replaced', 'removed'];

/** Failed looks in a row after which a store is asked no more: with five minutes, about a week. */
export const MAX_FAILED_LOOKS = 34;

/** What looks depend on. */
export interface LookTimes {
  /** Seconds, at least 1. */
  readonly base: number;
  /** From 0 to below 1. It spreads the looks, so that releases of one hour do not ask at once. */
  readonly random: number;
}

/**
 * When a store is asked again where a release is.
 *
 * @returns seconds from now; `null`: no more
 */
export function nextLook(
  { status, statusSince }: Pick<StoreRelease, 'status' | 'statusSince'>,
  now: Date,
  { base, random }: LookTimes,
): number | null {
  const age = (now.getTime() - statusSince.getTime()) / 1000;
  if (age >= LAST_AGE) return null;
  if (FINAL.includes(status) && age >= base / 2) return null;
  const times = INTERVALS.find(({ untilAge }) => age < untilAge)?.times ?? LONGEST;
  return spread(base * times, random);
}

/**
 * When a store is asked again that did not say where a release is: later each time.
 *
 * @param failedLooks in a row, with this one
 * @param afterSeconds that the store wants to wait at least
 * @returns seconds from now; `null`: no more
 */
export function nextLookAfterFailure(
  failedLooks: number,
  afterSeconds: number,
  { base, random }: LookTimes,
): number | null {
  if (failedLooks >= MAX_FAILED_LOOKS) return null;
  const growing = base * Math.min(LONGEST, 2 ** failedLooks);
  return spread(Math.max(growing, afterSeconds), random);
}

/**
 * When a store is asked again whose calls are used up by others.
 *
 * @returns seconds from now
 */
export function nextLookForQuota(afterSeconds: number, { base, random }: LookTimes): number {
  return spread(Math.max(3 * base, afterSeconds), random);
}

/** 0.8 to 1.2 times as long, and never shorter than a second. */
function spread(seconds: number, random: number): number {
  return Math.max(1, seconds * (0.8 + 0.4 * random));
}
