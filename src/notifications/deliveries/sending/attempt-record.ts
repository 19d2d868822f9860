import type { PendingDelivery, WrittenAttempt } from './delivery-runs.queries.js';
import { MAX_ATTEMPTS } from './retry-schedule.js';
import type { AttemptResult } from './webhook-sender.service.js';

/** Attempts that a delivery keeps. */
const MAX_KEPT = 20;

/** What an attempt makes of its delivery. */
export function recordOf(
  { attemptCount, attempts }: Pick<PendingDelivery, 'attemptCount' | 'attempts'>,
  { outcome, at, durationMs, status, error, responseBody }: AttemptResult,
): WrittenAttempt {
  const attempt = { at: at.toISOString(), status, durationMs, error };
  const written = { responseBody, attempts: [...attempts, attempt].slice(-MAX_KEPT), attemptedAt: at };
  if (outcome === 'succeeded') return { ...written, status: 'succeeded', reason: null };
  if (outcome !== 'unavailable') return { ...written, status: 'failed', reason: error };
  if (attemptCount + 1 < MAX_ATTEMPTS) return { ...written, status: 'pending', reason: null };
  return { ...written, status: 'failed', reason: `Given up after ${MAX_ATTEMPTS} attempts. ${error}` };
}
