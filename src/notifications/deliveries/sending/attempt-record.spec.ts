import { recordOf } from './delivery-outcomes.service.js';
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

it('keeps a delivery pending while the receiver does not work', () => {
  expect(recordOf({ attemptCount: 0, attempts: [] }, result)).toEqual({
    status: 'pending',
    reason: null,
    responseBody: 'later',
    attempts: [attempt],
    attemptedAt: result.at,
  });
});

it('gives up after ten attempts, and says why', () => {
  expect(recordOf({ attemptCount: 8, attempts: [] }, result).status).toBe('pending');
  expect(recordOf({ attemptCount: 9, attempts: [] }, result)).toMatchObject({
    status: 'failed',
    reason: 'Given up after 10 attempts. The receiver responded with HTTP 503.',
  });
});

it('fails at once what the receiver rejects', () => {
  const error = 'The receiver rejected the event with HTTP 400.';
  expect(
    recordOf({ attemptCount: 0, attempts: [] }, { ...result, outcome: 'rejected', error }),
  ).toMatchObject({
    status: 'failed',
    reason: error,
  });
});

it('keeps the last twenty attempts', () => {
  const attempts = Array.from({ length: 20 }, (_, i) => ({ ...attempt, durationMs: i }));
  const { attempts: kept } = recordOf(
    { attemptCount: 3, attempts },
    { ...result, outcome: 'succeeded', error: null },
  );
  expect(kept).toHaveLength(20);
  expect(kept.at(-1)).toMatchObject({ durationMs: 12, error: null });
  expect(kept[0]).toMatchObject({ durationMs: 1 });
});
