/** In percent of the quota, the strictest last. */
export const QUOTA_THRESHOLDS = [80, 95, 100] as const;

/** A threshold is over this many points below it, so that a sum that swings makes no second event. */
const HYSTERESIS = 5;

/** Those that are crossed, the strictest last. @param share of the quota that is used, 1: all */
export function crossedThresholds(share: number): number[] {
  return QUOTA_THRESHOLDS.filter((threshold) => 100 * share >= threshold);
}

/** Those that are over. @param share of the quota that is used, 1: all; 0: there is no quota */
export function thresholdsThatAreOver(share: number): number[] {
  return QUOTA_THRESHOLDS.filter((threshold) => 100 * share < threshold - HYSTERESIS);
}
