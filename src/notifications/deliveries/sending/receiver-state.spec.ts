import {
  afterAttempt,
  afterRejections,
  isHopeless,
  isReportDue,
  isUntroubled,
  type ReceiverState,
  reportIn,
  type StateAttempt,
} from './receiver-state.js';

const fresh: ReceiverState = {
  failures: 0,
  busyResponses: 0,
  failingSince: null,
  isReported: false,
  unsuccessfulSince: null,
  unsuccessfulAttempts: 0,
  lastSuccessAt: null,
  isSlow: false,
  rejectedIds: [],
  acceptedTypes: [],
};
const t0 = new Date('2026-01-01T00:00:00Z');
const days = (count: number): Date => new Date(t0.getTime() + count * 24 * 3600 * 1000);
const minutes = (count: number): Date => days(count / 1440);

const attempt: StateAttempt = {
  outcome: 'unavailable',
  deliveryId: 'a',
  eventType: 'app_channel_paused',
  isBusy: false,
  hasResponse: true,
  isAside: false,
  durationMs: 10,
};

it('counts failures in a row, which a rejected event ends, and a success forgets them', () => {
  let state = afterAttempt(fresh, attempt, t0);
  state = afterAttempt(state, { ...attempt, durationMs: 10_000 }, days(1));
  expect(state).toEqual({
    ...fresh,
    failures: 2,
    failingSince: t0,
    unsuccessfulSince: t0,
    unsuccessfulAttempts: 2,
    isSlow: true,
  });
  state = afterAttempt(state, { ...attempt, outcome: 'rejected' }, days(2));
  expect(state).toMatchObject({ failures: 0, failingSince: null, unsuccessfulSince: t0, isSlow: false });
  expect(state).toMatchObject({ unsuccessfulAttempts: 3, rejectedIds: ['a'] });
  state = afterAttempt(state, { ...attempt, outcome: 'succeeded' }, days(3));
  expect(state).toEqual({ ...fresh, lastSuccessAt: days(3), acceptedTypes: ['app_channel_paused'] });
});

it('counts no responses that ask for a wait, but how many there are in a row', () => {
  const busy = { ...attempt, isBusy: true };
  const state = [1, 2, 3].reduce((before, n) => afterAttempt(before, busy, minutes(n)), fresh);
  expect(state).toMatchObject({
    failures: 0,
    busyResponses: 3,
    failingSince: minutes(1),
    unsuccessfulAttempts: 3,
  });
  expect(afterAttempt(state, attempt, minutes(4))).toMatchObject({ failures: 1, busyResponses: 0 });
});

it('does not count attempts that are about an event, unless the receiver asks for a wait', () => {
  const aside = { ...attempt, isAside: true };
  expect(afterAttempt(fresh, aside, t0)).toMatchObject({
    failures: 0,
    failingSince: null,
    unsuccessfulSince: t0,
  });
  expect(afterAttempt(fresh, { ...aside, isBusy: true }, t0)).toMatchObject({
    busyResponses: 1,
    failingSince: t0,
  });
});

describe('rejected events', () => {
  const reject = (state: ReceiverState, deliveryId: string, eventType = 'job_finished'): ReceiverState =>
    afterAttempt(state, { ...attempt, outcome: 'rejected', deliveryId, eventType }, t0);

  it('are remembered, the last five in a row', () => {
    const state = ['a', 'b', 'c', 'd', 'e', 'f'].reduce((before, id) => reject(before, id), fresh);
    expect(state.rejectedIds).toEqual(['b', 'c', 'd', 'e', 'f']);
    expect(reject(state, 'e').rejectedIds).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  it('are all remembered of a receiver that does not work, which sending them again does not change', () => {
    const row = ['a', 'b', 'c', 'd', 'e'].reduce((before, id) => reject(before, id), fresh);
    const failing = afterRejections(row, fresh, t0);
    expect(failing).toMatchObject({ failures: 1, failingSince: t0 });
    const again = ['a', 'b', 'c', 'd', 'e'].reduce((before, id) => reject(before, id), failing);
    expect(again).toMatchObject({ failures: 1, failingSince: t0, rejectedIds: row.rejectedIds });
    expect(reject(again, 'f').rejectedIds).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('are no tests', () => {
    expect(reject(fresh, 'a', 'webhook_test').rejectedIds).toEqual([]);
  });

  it('are forgotten when the receiver may have taken one without a response', () => {
    const state = reject(fresh, 'a');
    expect(afterAttempt(state, attempt, t0).rejectedIds).toEqual(['a']);
    expect(afterAttempt(state, { ...attempt, hasResponse: false }, t0).rejectedIds).toEqual([]);
  });
});

it('is reported once, after five minutes', () => {
  const failing = { failingSince: t0, isReported: false };
  expect(isReportDue(failing, minutes(4.99))).toBe(false);
  expect(isReportDue(failing, minutes(5))).toBe(true);
  expect(isReportDue({ ...failing, isReported: true }, minutes(50))).toBe(false);
  // The next attempt is about then: it may succeed.
  expect(reportIn(failing, t0, 5.5 * 60_000)).toBeNull();
  expect(reportIn(failing, minutes(2), 3600_000)).toBe(3 * 60_000);
  expect(reportIn({ ...failing, isReported: true }, minutes(2), 3600_000)).toBeNull();
});

it('knows when a success is nothing new', () => {
  expect(isUntroubled(fresh)).toBe(true);
  for (const trouble of [
    { failures: 1 },
    { busyResponses: 1 },
    { unsuccessfulSince: t0 },
    { rejectedIds: ['a'] },
    { isReported: true },
  ]) {
    expect(isUntroubled({ ...fresh, ...trouble })).toBe(false);
  }
});

it('gives up on a receiver after five days and ten attempts without a success', () => {
  const tried = { unsuccessfulSince: t0, unsuccessfulAttempts: 10 };
  expect(isHopeless(tried, days(4.99))).toBe(false);
  expect(isHopeless(tried, days(5))).toBe(true);
  expect(isHopeless({ ...tried, unsuccessfulAttempts: 9 }, days(30))).toBe(false);
  expect(isHopeless(fresh, days(30))).toBe(false);
});

it('trusts no time in the future', () => {
  const ahead = { ...fresh, unsuccessfulSince: days(2), failingSince: days(2) };
  expect(afterAttempt(ahead, attempt, t0)).toMatchObject({ unsuccessfulSince: t0, failingSince: t0 });
});
