import { nextAttemptIn } from './waits.js';

const MINUTE = 60_000;
const start = new Date('2026-11-26T12:00:00Z');
const after = (minutes: number): Date => new Date(start.getTime() + minutes * MINUTE);
const times = (minutes: number) => ({ since: start, createdAt: start, now: after(minutes) });

describe('nextAttemptIn', () => {
  it('waits longer each time, up to two minutes, or for as long as the store asks', () => {
    const waits = [1, 2, 3, 4, 5, 6, 30].map((attempts) =>
      nextAttemptIn({ attempts, askedSeconds: 5 }, times(0)),
    );
    expect(waits).toEqual([5, 10, 20, 40, 80, 120, 120]);
    expect(nextAttemptIn({ attempts: 3, askedSeconds: 600 }, times(0))).toBe(600);
  });

  it('ends after half an hour, and before the job has been held for an hour', () => {
    const attempt = { attempts: 9, askedSeconds: 5 };
    expect(nextAttemptIn(attempt, times(28))).toBe(120);
    expect(nextAttemptIn(attempt, times(29))).toBeNull();
    expect(nextAttemptIn({ attempts: 1, askedSeconds: 3600 }, times(0))).toBeNull();
    const late = { since: after(40), createdAt: start, now: after(54) };
    expect(nextAttemptIn(attempt, late)).toBeNull();
    expect(nextAttemptIn(attempt, { ...late, now: after(50) })).toBe(120);
  });
});
