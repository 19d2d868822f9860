import { crossedUpTo, expiryThresholds, newlyExpiring } from './expiry.js';

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
  expect(newlyExpiring('SELECT', thresholds)).toMatch(/'expired'.*'1d'.*'7d'.*'30d'/s);
});

it('leaves out what expires later than all thresholds', () => {
  expect(newlyExpiring('SELECT', expiryThresholds(1, 7))).toContain(`AND now() + interval '7 days'`);
});
