import type { ReleaseLook } from './release-look.js';
import type { StoreRelease } from './store-release.entity.js';

type Shares = Pick<StoreRelease, 'userFraction' | 'resumeFraction'>;

/** The shares of a release after a look: what the store does not say stays as it was known. */
export function seenShares(
  look: Pick<ReleaseLook, 'status' | 'userFraction' | 'resumeFraction'>,
  known: StoreRelease | null,
): Shares {
  // One that a person has finished can be at any share: then none is known.
  if (look.status === 'released') return { userFraction: look.userFraction, resumeFraction: null };
  const userFraction = look.userFraction ?? known?.userFraction ?? null;
  if (look.status !== 'halted' && look.status !== 'paused') return { userFraction, resumeFraction: null };
  const before = look.resumeFraction ?? known?.resumeFraction ?? known?.userFraction ?? userFraction;
  return { userFraction, resumeFraction: before };
}
