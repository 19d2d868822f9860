import { failingFrom, paceOf, retryDelay, triedUntil, type Wait } from './retry-schedule.js';

const HOUR = 3600;
const t0 = new Date('2026-01-01T00:00:00Z');
const later = (seconds: number): Date => new Date(t0.getTime() + seconds * 1000);
const usual: Wait = { failures: 1, busyResponses: 0, retryAfter: null, triedFor: Infinity, random: 0.5 };

it('waits longer after each failure in a row, up to a day', () => {
  const delays = Array.from({ length: 12 }, (_, i) => retryDelay({ ...usual, failures: i + 1 }));
  const hours = [2, 5, 10, 14, 20, 24, 24, 24, 24].map((n) => n * HOUR);
  expect(delays).toEqual([5, 300, 1800, ...hours]);
});

it('spreads the attempts', () => {
  const delays = [0, 0.999].map((random) => Math.round(retryDelay({ ...usual, failures: 2, random })));
  expect(delays).toEqual([270, 330]);
});

it('waits as long as a receiver wants that is busy, and at least a minute from the tenth time on', () => {
  const busy = { ...usual, failures: 5, retryAfter: 3 };
  expect(retryDelay({ ...busy, busyResponses: 1 })).toBe(3);
  expect(retryDelay({ ...busy, busyResponses: 9 })).toBe(3);
  expect(retryDelay({ ...busy, busyResponses: 10 })).toBe(60);
  expect(retryDelay({ ...busy, busyResponses: 10, retryAfter: 90 })).toBe(90);
  // Also beyond the end of the delivery: the attempt after it is the last one.
  expect(retryDelay({ ...busy, busyResponses: 1, retryAfter: 7200, triedFor: 60 })).toBe(7200);
});

it('has its last attempt when three days are over', () => {
  let [now, attempts] = [t0, 1];
  for (; triedUntil(t0, now) > 0; attempts++) {
    const triedFor = triedUntil(t0, now) / 1000;
    now = new Date(now.getTime() + retryDelay({ ...usual, failures: attempts, triedFor }) * 1000);
  }
  expect(now).toEqual(later(3 * 24 * HOUR));
  expect(attempts).toBe(10);
  expect(retryDelay({ ...usual, failures: 9, triedFor: 0.2 })).toBe(1);
});

it('trusts no time in the future', () => {
  expect(failingFrom({ failingSince: null }, t0)).toEqual(t0);
  expect(failingFrom({ failingSince: later(-60) }, t0)).toEqual(later(-60));
  expect(failingFrom({ failingSince: later(60) }, t0)).toEqual(t0);
});

it('sends to chats about as fast as these allow', () => {
  expect(paceOf('slack')).toEqual({ atOnce: 5, perSecond: 1 });
  expect(paceOf('raw').perSecond).toBe(10);
});
