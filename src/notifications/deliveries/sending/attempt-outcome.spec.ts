import { errorOf, outcomeOf, retryAfterOf } from './attempt-outcome.js';

it.each([
  [200, 'succeeded'],
  [204, 'succeeded'],
  [299, 'succeeded'],
  [301, 'rejected'],
  [304, 'rejected'],
  [400, 'rejected'],
  [404, 'rejected'],
  [499, 'rejected'],
  [408, 'unavailable'],
  [425, 'unavailable'],
  [429, 'unavailable'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [999, 'unavailable'],
  [410, 'gone'],
] as const)('takes HTTP %i for %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome);
  expect(errorOf(status) === null).toBe(outcome === 'succeeded');
});

it('says that redirects are not followed', () => {
  expect(errorOf(302)).toBe(
    'The receiver redirects with HTTP 302. Redirects are not followed: set the final address.',
  );
});

it.each([
  ['120', 120],
  [' 0.75 ', 0.75],
  ['0', 0],
  ['999999999', 86_400],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['Fri, 01 Jan 2027 00:00:00 GMT', 86_400],
  ['soon', null],
  ['-5', null],
  ['1e3', null],
  ['', null],
  [undefined, null],
] as const)('reads a Retry-After of %p as %p seconds', (header, seconds) => {
  expect(retryAfterOf(header, new Date('2026-01-01T00:00:00Z'))).toBe(seconds);
});
