import type { Health } from '../rollout-plans/rollout-plan.entity.js';

/** Shares of devices that rolled back at which a deployment has an event, the highest last. */
const SHARES: readonly number[] = [0.05, 0.2];
/** With fewer devices that ran the bundle, a share says little. */
const MIN_APPLIED = 20;
/** Fewer devices that rolled back may be chance: a device with a full disk, or a user who reinstalls. */
const MIN_ROLLED_BACK = 3;
/** Part of a share below which it may be crossed again. */
const CLEARED_BELOW = 0.5;

/** How devices responded to a deployment. */
type Counts = Pick<Health, 'applied' | 'rolledBack'>;

/** The shares that are crossed, as names of thresholds, the highest last. */
export function crossedShares({ applied, rolledBack }: Counts): string[] {
  if (applied < MIN_APPLIED || rolledBack < MIN_ROLLED_BACK) return [];
  return SHARES.filter((share) => rolledBack >= share * applied).map(nameOf);
}

/** The shares that may be crossed again: the share of now is half of them or less, so it does not swing around them. */
export function clearedShares({ applied, rolledBack }: Counts): string[] {
  return SHARES.filter((share) => rolledBack < share * applied * CLEARED_BELOW).map(nameOf);
}

/** All of them. */
export const shareThresholds = SHARES.map(nameOf);

function nameOf(share: number): string {
  return String(share);
}
