import { errorOf, isBusy, meantStatus, outcomeOf, retryAfterOf } from './attempt-outcome.js';

it.each([
  [200, 'succeeded'],
  [204, 'succeeded'],
  [299, 'succeeded'],
  [301, 'unavailable'],
  [304, 'unavailable'],
  [401, 'unavailable'],
  [403, 'unavailable'],
  [407, 'unavailable'],
  [400, 'rejected'],
  [402, 'rejected'],
  [404, 'rejected'],
  [422, 'rejected'],
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
  [' 0.75 ', 1],
  ['1.5', 1.5],
  ['0', 1],
  ['999999999', 86_400],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Thu, 01 Jan 2026 00:00:00.5 GMT', 1],
  ['Wed, 31 Dec 2025 23:59:00 GMT', null],
  ['Thu, 01 Jan 1970 00:00:00 GMT', null],
  ['Fri, 01 Jan 2027 00:00:00 GMT', 86_400],
  ['soon', null],
  ['-5', null],
  ['-1', null],
  ['1e9', null],
  ['1000000000', 86_400],
  ['1e3', null],
  ['', null],
  [undefined, null],
] as const)('reads a Retry-After of %p as %p seconds', (header, seconds) => {
  expect(retryAfterOf(header, new Date('2026-01-01T00:00:00Z'))).toBe(seconds);
});

it('takes a wait for granted that comes with 429 or 503 only', () => {
  expect([429, 503].map((status) => isBusy({ status, retryAfter: 1 }))).toEqual([true, true]);
  expect([500, 408, 301, null].map((status) => isBusy({ status, retryAfter: 1 }))).not.toContain(true);
  expect(isBusy({ status: 429, retryAfter: null })).toBe(false);
});

it('reads what older incoming webhooks of Teams respond', () => {
  const throttled =
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0';
  expect(meantStatus('teams', 200, throttled)).toBe(429);
  expect(meantStatus('teams', 200, '1')).toBe(200);
  expect(meantStatus('raw', 200, throttled)).toBe(200);
});
