import { minuteOf, percent } from './facts.js';

it('shows shares as people read them', () => {
  expect([0, 0.1, 0.29, 0.07, 0.12345, 1].map(percent)).toEqual([
    '0 %',
    '10 %',
    '29 %',
    '7 %',
    '12.35 %',
    '100 %',
  ]);
});

it('shows times to the minute', () => {
  expect(minuteOf('2026-12-01T10:00:59.999Z')).toBe('2026-12-01 10:00 UTC');
});
