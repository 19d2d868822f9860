import type { FreezeWindow } from './freeze-window.js';

/** Whether a request sets approvals or freezes, which requires the permission `channels:govern`. */
export function setsGovernance({
  requiredApprovals,
  freezeWindows,
}: {
  readonly requiredApprovals?: unknown;
  readonly freezeWindows?: unknown;
}): boolean {
  return requiredApprovals !== undefined || freezeWindows !== undefined;
}

/** Whether a channel or a destination has approvals, or a freeze that has not ended. */
export function isGoverned(
  {
    requiredApprovals,
    freezeWindows,
  }: { readonly requiredApprovals: number; readonly freezeWindows: readonly FreezeWindow[] },
  now: Date,
): boolean {
  return requiredApprovals > 0 || freezeWindows.some(({ to }) => new Date(to) > now);
}
