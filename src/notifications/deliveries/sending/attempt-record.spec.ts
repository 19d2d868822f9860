import { recordOf } from './attempt-record.js';
import type { AttemptResult } from './webhook-sender.service.js';

const result: AttemptResult = {
  outcome: 'unavailable',
  at: new Date('2026-01-01T00:00:00Z'),
  durationMs: 12,
  status: 503,
  error: 'The receiver responded with HTTP 503.',
  responseBody: 'later',
  retryAfter: null,
};
const attempt = {
  at: '2026-01-01T00:00:00.000Z',
  status: 503,
  durationMs: 12,
  error: 'The receiver responded with HTTP 503.',
};

const fresh = { attemptCount: 0, attempts: [], failures: 0, failingSince: null };

it('keeps a delivery pending while the receiver does not work', () => {
  expect(recordOf(fresh, result)).toEqual({
    status: 'pending',
    reason: null,
    responseBody: 'later',
    attempts: [attempt],
    attemptedAt: result.at,
    failures: 1,
    failingSince: result.at,
  });
});

it('gives up after three days in its turn, and says why', () => {
  const tried = { ...fresh, attemptCount: 9, failures: 9 };
  const [before, then] = [71.99, 72].map((hours) => new Date(result.at.getTime() - hours * 3_600_000));
  expect(recordOf({ ...tried, failingSince: before ?? null }, result).status).toBe('pending');
  const late = { ...tried, failingSince: then ?? null };
  expect(recordOf(late, result)).toMatchObject({
    status: 'failed',
    reason: 'Given up after three days and 10 attempts. The receiver responded with HTTP 503.',
  });
  // Not when it is sent for another one.
  expect(recordOf(late, result, false).status).toBe('pending');
  expect(recordOf(fresh, result, false)).toMatchObject({ failures: 1, failingSince: null });
});

it('does not count an attempt after which the receiver has said how long to wait', () => {
  expect(recordOf(fresh, { ...result, retryAfter: 5 })).toMatchObject({
    failures: 0,
    failingSince: result.at,
  });
});

it('fails at once what the receiver rejects', () => {
  const error = 'The receiver rejected the event with HTTP 400.';
  expect(recordOf(fresh, { ...result, outcome: 'rejected', error })).toMatchObject({
    status: 'failed',
    reason: error,
  });
});

it('keeps the last twenty attempts', () => {
  const attempts = Array.from({ length: 20 }, (_, i) => ({ ...attempt, durationMs: i }));
  const { attempts: kept } = recordOf(
    { ...fresh, attemptCount: 3, attempts },
    { ...result, outcome: 'succeeded', error: null },
  );
  expect(kept).toHaveLength(20);
  expect(kept.at(-1)).toMatchObject({ durationMs: 12, error: null });
  expect(kept[0]).toMatchObject({ durationMs: 1 });
});
