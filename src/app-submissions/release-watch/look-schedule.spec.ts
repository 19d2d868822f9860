import { type ReleaseStatus, releaseStatuses } from '../releases/store-release.entity.js';
import { MAX_FAILED_LOOKS, nextLook, nextLookAfterFailure, nextLookForQuota } from './look-schedule.js';

const NOW = new Date('2026-11-26T12:00:00Z');
const HOUR = 3600;
const DAY = 24 * HOUR;
const exactly = { base: 300, random: 0.5 };

const since = (status: ReleaseStatus, age: number) => ({
  status,
  statusSince: new Date(NOW.getTime() - age * 1000),
});

it.each([
  [0, 300],
  [DAY - 1, 300],
  [DAY, 900],
  [7 * DAY, HOUR],
  [30 * DAY, 6 * HOUR],
  [90 * DAY - 1, 6 * HOUR],
  [90 * DAY, null],
])('asks about a status of %d seconds after %p', (age, seconds) => {
  expect(nextLook(since('in_review', age), NOW, exactly)).toBe(seconds);
});

it('asks once more after a release has ended', () => {
  for (const status of releaseStatuses) {
    const ends = ['released', 'replaced', 'removed'].includes(status);
    expect(nextLook(since(status, 0), NOW, exactly)).toBe(300);
    expect(nextLook(since(status, 240), NOW, exactly)).toBe(ends ? null : 300);
  }
});

it('spreads looks by a fifth, and never asks twice in a second', () => {
  expect(nextLook(since('in_review', 0), NOW, { base: 300, random: 0 })).toBeCloseTo(240);
  expect(nextLook(since('in_review', 0), NOW, { base: 300, random: 0.999999 })).toBeCloseTo(360);
  expect(nextLook(since('in_review', 0), NOW, { base: 1, random: 0 })).toBe(1);
});

it('waits longer after each failure, and gives up after about a week', () => {
  const waits: number[] = [];
  for (let failed = 1; ; failed++) {
    const wait = nextLookAfterFailure(failed, 0, exactly);
    if (wait === null) break;
    waits.push(wait);
  }
  expect(waits).toHaveLength(MAX_FAILED_LOOKS - 1);
  expect(waits.slice(0, 4)).toEqual([600, 1200, 2400, 4800]);
  expect(Math.max(...waits)).toBe(6 * HOUR);
  const days = waits.reduce((sum, wait) => sum + wait, 0) / DAY;
  expect(days).toBeGreaterThan(6);
  expect(days).toBeLessThan(9);
});

it('waits as long as the store asks for', () => {
  expect(nextLookAfterFailure(1, HOUR, exactly)).toBe(HOUR);
  expect(nextLookForQuota(60, exactly)).toBe(900);
  expect(nextLookForQuota(HOUR, exactly)).toBe(HOUR);
});
