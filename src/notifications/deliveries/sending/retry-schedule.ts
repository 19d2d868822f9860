import type { WebhookFormat } from '../../webhooks/webhook.entity.js';
import type { WebhookSchedule } from '../webhook-schedule.entity.js';
import type { AttemptOutcome } from './attempt-outcome.js';

const MINUTE = 60;
const HOUR = 3600;

/** Seconds after so many attempts in a row that say that the receiver does not work; the last also after more. */
const DELAYS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
const LONGEST_DELAY = 24 * HOUR;

/** Attempts at one delivery until it is given up: about three days. */
export const MAX_ATTEMPTS = 10;

/** A webhook is disabled after so many days without a success, and so many attempts: some have an event a month only. */
const UNSUCCESSFUL_DAYS = 5;
const UNSUCCESSFUL_ATTEMPTS = 10;
const DAY = 24 * HOUR * 1000;

/** Milliseconds from which a response is slow. */
const SLOW = 3000;

/** How a receiver has responded up to now. */
export type ReceiverState = Pick<
  WebhookSchedule,
  'failures' | 'unsuccessfulSince' | 'unsuccessfulAttempts' | 'lastSuccessAt' | 'isSlow'
>;

/** The state alone, of a schedule. */
export function stateOf(state: ReceiverState): ReceiverState {
  const { failures, unsuccessfulSince, unsuccessfulAttempts, lastSuccessAt, isSlow } = state;
  return { failures, unsuccessfulSince, unsuccessfulAttempts, lastSuccessAt, isSlow };
}

/** The state after an attempt that took so many milliseconds. */
export function afterAttempt(
  state: ReceiverState,
  outcome: AttemptOutcome,
  now: Date,
  durationMs: number,
): ReceiverState {
  const isSlow = durationMs >= SLOW;
  if (outcome === 'succeeded') {
    return { failures: 0, unsuccessfulSince: null, unsuccessfulAttempts: 0, lastSuccessAt: now, isSlow };
  }
  return {
    ...state,
    failures: outcome === 'unavailable' ? state.failures + 1 : 0,
    unsuccessfulSince: state.unsuccessfulSince ?? now,
    unsuccessfulAttempts: state.unsuccessfulAttempts + 1,
    isSlow,
  };
}

/** Whether Slipway gives up on the receiver: five days without one success. */
export function isHopeless(
  {
    unsuccessfulSince,
    unsuccessfulAttempts,
  }: Pick<ReceiverState, 'unsuccessfulSince' | 'unsuccessfulAttempts'>,
  now: Date,
): boolean {
  if (unsuccessfulSince === null || unsuccessfulAttempts < UNSUCCESSFUL_ATTEMPTS) return false;
  return now.getTime() - unsuccessfulSince.getTime() >= UNSUCCESSFUL_DAYS * DAY;
}

/**
 * When the next attempt at a receiver follows that does not work.
 *
 * @param failures attempts in a row up to now that say so, from 1
 * @param retryAfter seconds that the receiver wants to wait at least; `null`: it has not said so
 * @param random from 0 to below 1: spreads the attempts of webhooks that failed together, as after an outage
 * @returns seconds from now
 */
export function retryDelay(failures: number, retryAfter: number | null, random: number): number {
  const delay = DELAYS[failures - 1] ?? LONGEST_DELAY;
  return Math.max(delay * (0.9 + 0.2 * random), retryAfter ?? 0);
}

/** How fast the deliveries of one webhook follow each other: the limits of chats are about one message a second. */
export interface Pace {
  /** Most deliveries of one run. */
  readonly atOnce: number;
  /** On average. */
  readonly perSecond: number;
}

export function paceOf(format: WebhookFormat): Pace {
  return format === 'raw' ? { atOnce: 20, perSecond: 10 } : { atOnce: 5, perSecond: 1 };
}
