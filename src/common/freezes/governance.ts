import type { FreezeWindow } from './freeze-window.js';

/** Whether a request sets approvals, freezes or allowed branches, which requires the permission `channels:govern`. */
export function setsGovernance({
  requiredApprovals,
  freezeWindows,
  allowedRefs,
}: {
  readonly requiredApprovals?: unknown;
  readonly freezeWindows?: unknown;
  readonly allowedRefs?: unknown;
}): boolean {
  return [requiredApprovals, freezeWindows, allowedRefs].some((value) => value !== undefined);
}

/** Whether a channel or a destination has approvals, a freeze that has not ended, or is for some branches only. */
export function isGoverned(
  {
    requiredApprovals,
    freezeWindows,
    allowedRefs,
  }: {
    readonly requiredApprovals: number;
    readonly freezeWindows: readonly FreezeWindow[];
    readonly allowedRefs: readonly string[];
  },
  now: Date,
): boolean {
  return (
    requiredApprovals > 0 || allowedRefs.length > 0 || freezeWindows.some(({ to }) => new Date(to) > now)
  );
}
