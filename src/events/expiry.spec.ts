import { crossedUpTo, expiryThresholds, strictestCrossed } from './expiry.js';

const thresholds = expiryThresholds(0, 30, 1, 7);

it('names thresholds, the strictest last', () => {
  expect(thresholds.map(({ name }) => name)).toEqual(['30d', '7d', '1d', 'expired']);
});

it('crosses all milder thresholds with a stricter one', () => {
  expect(crossedUpTo(thresholds, '30d')).toEqual(['30d']);
  expect(crossedUpTo(thresholds, '1d')).toEqual(['30d', '7d', '1d']);
  expect(crossedUpTo(thresholds, 'expired')).toEqual(['30d', '7d', '1d', 'expired']);
  expect(crossedUpTo(thresholds, '2d')).toEqual([]);
});

it('looks for the strictest threshold first', () => {
  expect(strictestCrossed('at', expiryThresholds(7, 1))).toBe(
    `CASE WHEN at <= now() + interval '1 days' THEN '1d' WHEN at <= now() + interval '7 days' THEN '7d' END`,
  );
});
