import { isBusy } from './attempt-outcome.js';
import type { PendingDelivery, WrittenAttempt } from './delivery-runs.queries.js';
import { failingFrom, triedUntil } from './retry-schedule.js';
import type { AttemptResult } from './webhook-sender.service.js';

/** Attempts that a delivery keeps. */
const MAX_KEPT = 20;

type Recorded = Pick<PendingDelivery, 'attemptCount' | 'attempts' | 'failures' | 'failingSince'>;

/**
 * What an attempt makes of its delivery.
 *
 * @param isInTurn `false`: it was sent before its turn, which does not begin the time in which it is tried
 */
export function recordOf(delivery: Recorded, result: AttemptResult, isInTurn = true): WrittenAttempt {
  const { outcome, at, durationMs, status, error, responseBody } = result;
  const attempt = { at: at.toISOString(), status, durationMs, error };
  const written = {
    responseBody,
    attempts: [...delivery.attempts, attempt].slice(-MAX_KEPT),
    attemptedAt: at,
    failures: delivery.failures + (outcome === 'unavailable' && !isBusy(result) ? 1 : 0),
    failingSince: delivery.failingSince,
  };
  if (outcome === 'succeeded') return { ...written, status: 'succeeded', reason: null };
  const failingSince = failingFrom(delivery, at);
  if (outcome !== 'unavailable') return { ...written, failingSince, status: 'failed', reason: error };
  if (!isInTurn) return { ...written, status: 'pending', reason: null };
  if (triedUntil(failingSince, at) > 0) return { ...written, failingSince, status: 'pending', reason: null };
  const reason = `Given up after three days and ${delivery.attemptCount + 1} attempts. ${error}`;
  return { ...written, failingSince, status: 'failed', reason };
}
