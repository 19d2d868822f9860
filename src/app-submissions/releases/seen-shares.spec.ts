import { seenShares } from './store-releases.service.js';
import type { ReleaseLook } from './release-look.js';
import type { StoreRelease } from './store-release.entity.js';

const look = (values: Partial<ReleaseLook>): ReleaseLook => ({
  status: 'rolling_out',
  userFraction: null,
  resumeFraction: null,
  message: 'Some users get it.',
  storeStatus: null,
  link: null,
  ...values,
});
const known = (userFraction: number | null, resumeFraction: number | null = null): StoreRelease =>
  ({ userFraction, resumeFraction }) as StoreRelease;

it('keeps what the store does not say', () => {
  expect(seenShares(look({}), known(0.2))).toEqual({ userFraction: 0.2, resumeFraction: null });
  expect(seenShares(look({ userFraction: 0.5 }), known(0.2))).toEqual({
    userFraction: 0.5,
    resumeFraction: null,
  });
  expect(seenShares(look({}), null)).toEqual({ userFraction: null, resumeFraction: null });
});

it('remembers the share before a halt, for as long as it lasts', () => {
  const halted = look({ status: 'halted', userFraction: 0 });
  expect(seenShares(halted, known(0.2))).toEqual({ userFraction: 0, resumeFraction: 0.2 });
  expect(seenShares(halted, known(0, 0.2))).toEqual({ userFraction: 0, resumeFraction: 0.2 });
  expect(seenShares(look({ status: 'paused', resumeFraction: 0.1 }), known(0.2))).toEqual({
    userFraction: 0.2,
    resumeFraction: 0.1,
  });
  expect(seenShares(look({ userFraction: 0.2 }), known(0, 0.2))).toEqual({
    userFraction: 0.2,
    resumeFraction: null,
  });
});

it('is what the store says of a release that is out', () => {
  const released = (userFraction: number | null) =>
    seenShares(look({ status: 'released', userFraction }), known(0.5, 0.5));
  expect(released(1)).toEqual({ userFraction: 1, resumeFraction: null });
  expect(released(null)).toEqual({ userFraction: null, resumeFraction: null });
});
