import type { WebhookFormat } from '../../webhooks/webhook.entity.js';
import type { WebhookDelivery } from '../webhook-delivery.entity.js';

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

/** In milliseconds, how long a delivery is tried in its turn. */
export const TRIED_FOR = 3 * 24 * HOUR * 1000;
/** The shortest wait for the last attempt, in seconds. */
const LAST_WAIT = 1;

/** From so many responses in a row that ask for a wait, it is so many seconds at least. */
const BUSY_OFTEN = 10;
const BUSY_WAIT = MINUTE;

/** Failures of a delivery from which its object may be set aside. */
export const FAILURES_OF_EVENT = 3;

/** How the next attempt at a receiver follows that does not work. */
export interface Wait {
  /** Attempts in a row up to now that say so, from 1. */
  readonly failures: number;
  /** Responses in a row up to now that ask for a wait; 0: the last one did not. */
  readonly busyResponses: number;
  /** Seconds that a receiver wants to wait that has too much to do; `null`: it has not said so. */
  readonly retryAfter: number | null;
  /** Seconds until the delivery is given up: its last attempt is then. */
  readonly triedFor: number;
  /** From 0 to below 1: spreads the attempts of webhooks that failed together, as after an outage. */
  readonly random: number;
}

/** Seconds until the next attempt. */
export function retryDelay({ failures, busyResponses, retryAfter, triedFor, random }: Wait): number {
  if (busyResponses > 0 && retryAfter !== null) {
    return busyResponses >= BUSY_OFTEN ? Math.max(retryAfter, BUSY_WAIT) : retryAfter;
  }
  const delay = (DELAYS[Math.max(failures, 1) - 1] ?? LONGEST_DELAY) * (0.9 + 0.2 * random);
  return Math.min(delay, Math.max(triedFor, LAST_WAIT));
}

/** Since when a delivery fails in its turn, with an attempt at `now` that failed. A time in the future was a wrong clock's. */
export function failingFrom({ failingSince }: Pick<WebhookDelivery, 'failingSince'>, now: Date): Date {
  return failingSince === null || failingSince > now ? now : failingSince;
}

/** Milliseconds until a delivery is given up; not positive: it is over. */
export function triedUntil(failingSince: Date, now: Date): number {
  return failingSince.getTime() + TRIED_FOR - now.getTime();
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
