import type { AppleDestination } from './submittable-destination.js';
import { requireEarliestRelease } from './release-options.js';

const now = new Date('2026-11-26T12:30:00Z');
const scheduled = {
  type: 'apple-app-store-connect',
  appleSubmitForReview: true,
  appleReleaseType: 'scheduled',
} as AppleDestination;
const check = (at: string | null, destination: Partial<AppleDestination> = {}) =>
  requireEarliestRelease({ ...scheduled, ...destination }, at === null ? null : new Date(at), now);

it('takes a whole hour in the future for a destination that releases at a date', () => {
  expect(() => check('2026-11-26T13:00:00Z')).not.toThrow();
  expect(() => check('2027-02-01T00:00:00+05:00')).not.toThrow();
});

it('takes no date for others, and needs none', () => {
  for (const destination of [
    { appleReleaseType: 'manual' },
    { appleReleaseType: 'after-approval' },
    { appleReleaseType: null },
    { appleSubmitForReview: false },
  ] as const) {
    expect(() => check(null, destination)).not.toThrow();
    expect(() => check('2026-11-26T13:00:00Z', destination)).toThrow(
      'appleEarliestReleaseDate must be absent: it is only for destinations with appleSubmitForReview',
    );
  }
});

it.each([
  [null, 'is required: the destination releases at a date (appleReleaseType scheduled).'],
  ['2026-11-26T13:00:00.001Z', 'must be a whole hour in UTC, such as 2026-11-26T14:00:00.000Z'],
  ['2026-11-26T13:30:00Z', 'must be a whole hour in UTC, such as 2026-11-26T14:00:00.000Z'],
  ['2026-11-26T13:30:00+05:30', 'must be in the future.'],
  ['2026-11-26T12:00:00Z', 'must be in the future.'],
])('does not take %s', (at, message) => {
  expect(() => check(at)).toThrow(`appleEarliestReleaseDate ${message}`);
});
