import { nextAttemptIn } from './build-numbers.worker.js';

const MINUTE = 60_000;
const start = new Date('2026-11-26T12:00:00Z');
const after = (minutes: number): Date => new Date(start.getTime() + minutes * MINUTE);
const later = (attempts: number, afterSeconds = 5, maxAttempts: number | null = null) =>
  ({ kind: 'later', message: 'It is away.', attempts, afterSeconds, maxAttempts }) as const;
const times = (minutes: number) => ({ since: start, createdAt: start, now: after(minutes) });

describe('nextAttemptIn', () => {
  it('waits longer each time, up to two minutes, or for as long as the store asks', () => {
    const waits = [1, 2, 3, 4, 5, 6, 30].map((attempts) => nextAttemptIn(later(attempts), times(0)));
    expect(waits).toEqual([5, 10, 20, 40, 80, 120, 120]);
    expect(nextAttemptIn(later(3, 600), times(0))).toBe(600);
  });

  it('ends after half an hour, and before the job has been held for an hour', () => {
    const attempt = later(9);
    expect(nextAttemptIn(attempt, times(28))).toBe(120);
    expect(nextAttemptIn(attempt, times(29))).toBeNull();
    expect(nextAttemptIn(later(1, 3600), times(0))).toBeNull();
    const late = { since: after(40), createdAt: start, now: after(54) };
    expect(nextAttemptIn(attempt, late)).toBeNull();
    expect(nextAttemptIn(attempt, { ...late, now: after(50) })).toBe(120);
  });

  it('ends at once when the store refuses for good, or as often as it is worth asking', () => {
    const refused = { kind: 'refused', message: 'It knows no such key.', attempts: 1 } as const;
    expect(nextAttemptIn(refused, times(0))).toBeNull();
    expect([1, 2, 3].map((attempts) => nextAttemptIn(later(attempts, 5, 3), times(0)))).toEqual([
      5,
      10,
      null,
    ]);
  });
});
