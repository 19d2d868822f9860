import { ConflictError } from '../errors/app-error.js';
import type { FreezeWindow } from './freeze-window.js';

/** What can be frozen. */
export type Freezable = 'channel' | 'destination';

/** A channel or a destination that is frozen at some time. */
export interface Freeze {
  /** End of the freeze. */
  readonly until: Date;
  /** Reason of the current window; `null`: none was given. */
  readonly reason: string | null;
}

/**
 * Whether a channel or a destination is frozen. Windows that overlap or follow each other without a gap are one freeze.
 *
 * @returns `null` when it is not
 */
export function freezeAt(windows: readonly FreezeWindow[], now: Date): Freeze | null {
  const current = windows.find((window) => covers(window, now.getTime()));
  if (current === undefined) return null;
  let until = Date.parse(current.to);
  for (;;) {
    const later = windows.find((window) => covers(window, until));
    if (later === undefined) return { until: new Date(until), reason: current.reason };
    until = Date.parse(later.to);
  }
}

/** @throws ConflictError `channel_frozen` or `destination_frozen` */
export function assertNotFrozen(
  { name, freezeWindows }: { readonly name: string; readonly freezeWindows: readonly FreezeWindow[] },
  now: Date,
  what: Freezable = 'channel',
): void {
  const freeze = freezeAt(freezeWindows, now);
  if (freeze === null) return;
  const reason = freeze.reason === null ? '' : ` (${freeze.reason.replace(/[\s.]+$/, '')})`;
  throw new ConflictError(
    `The ${what} ${name} is frozen until ${freeze.until.toISOString()}${reason}.`,
    `${what}_frozen`,
  );
}

function covers({ from, to }: FreezeWindow, time: number): boolean {
  return Date.parse(from) <= time && time < Date.parse(to);
}
