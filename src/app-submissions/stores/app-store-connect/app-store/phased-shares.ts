import type { PhasedRelease } from './app-store-resources.js';

/** The share of users on each day: https://developer.apple.com/help/app-store-connect/update-your-app/release-a-version-update-in-phases/. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** The days that a phased release takes. */
export const PHASED_DAYS = SHARES.length;

/** The share of users with automatic updates that a phased release gives the version to, 0.01 to 1. */
export function shareOf({ dayNumber }: PhasedRelease): number {
  return SHARES[Math.min(dayNumber ?? 1, PHASED_DAYS) - 1] ?? 1;
}
