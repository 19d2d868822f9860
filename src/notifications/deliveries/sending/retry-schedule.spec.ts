import { afterAttempt, isHopeless, paceOf, type ReceiverState, retryDelay } from './retry-schedule.js';

const fresh: ReceiverState = {
  failures: 0,
  unsuccessfulSince: null,
  unsuccessfulAttempts: 0,
  lastSuccessAt: null,
  isSlow: false,
};
const t0 = new Date('2026-01-01T00:00:00Z');
const days = (count: number): Date => new Date(t0.getTime() + count * 24 * 3600 * 1000);

it('waits longer after each failure in a row, up to a day', () => {
  const delays = Array.from({ length: 12 }, (_, i) => retryDelay(i + 1, null, 0.5));
  const hours = [2, 5, 10, 14, 20, 24, 24, 24, 24].map((n) => n * 3600);
  expect(delays).toEqual([5, 300, 1800, ...hours]);
});

it('spreads the attempts, and waits at least as long as the receiver wants', () => {
  expect([0, 0.999].map((random) => Math.round(retryDelay(2, null, random)))).toEqual([270, 330]);
  expect(retryDelay(1, 90, 0.5)).toBe(90);
  expect(retryDelay(3, 90, 0.5)).toBe(1800);
});

it('counts failures in a row, which a rejected event ends, and a success forgets everything', () => {
  let state = afterAttempt(fresh, 'unavailable', t0, 10);
  state = afterAttempt(state, 'unavailable', days(1), 10_000);
  expect(state).toEqual({
    failures: 2,
    unsuccessfulSince: t0,
    unsuccessfulAttempts: 2,
    lastSuccessAt: null,
    isSlow: true,
  });
  state = afterAttempt(state, 'rejected', days(2), 10);
  expect(state).toMatchObject({ failures: 0, unsuccessfulSince: t0, unsuccessfulAttempts: 3, isSlow: false });
  state = afterAttempt(state, 'succeeded', days(3), 10);
  expect(state).toEqual({ ...fresh, lastSuccessAt: days(3) });
});

it('gives up on a receiver after five days and ten attempts without a success', () => {
  const tried = { unsuccessfulSince: t0, unsuccessfulAttempts: 10 };
  expect(isHopeless(tried, days(4.99))).toBe(false);
  expect(isHopeless(tried, days(5))).toBe(true);
  expect(isHopeless({ ...tried, unsuccessfulAttempts: 9 }, days(30))).toBe(false);
  expect(isHopeless(fresh, days(30))).toBe(false);
});

it('sends to chats about as fast as these allow', () => {
  expect(paceOf('slack')).toEqual({ atOnce: 5, perSecond: 1 });
  expect(paceOf('raw').perSecond).toBe(10);
});
