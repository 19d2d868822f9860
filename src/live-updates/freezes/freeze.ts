import { ConflictError } from '../../common/errors/app-error.js';
import type { FreezeWindow } from '../channels/channel.entity.js';

/** A channel that is frozen at some time. */
export interface Freeze {
  /** End of the freeze. */
  readonly until: Date;
  /** Reason of the current window; `null`: none was given. */
  readonly reason: string | null;
}

/**
 * Whether a channel is frozen. Windows that overlap or follow each other without a gap are one freeze.
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

/** @throws ConflictError when the channel is frozen */
export function assertNotFrozen(
  channel: { readonly name: string; readonly freezeWindows: readonly FreezeWindow[] },
  now: Date,
): void {
  const freeze = freezeAt(channel.freezeWindows, now);
  if (freeze === null) return;
  const reason = freeze.reason === null ? '' : ` (${freeze.reason.replace(/[\s.]+$/, '')})`;
  throw new ConflictError(
    `The channel ${channel.name} is frozen until ${freeze.until.toISOString()}${reason}.`,
    'channel_frozen',
  );
}

function covers({ from, to }: FreezeWindow, time: number): boolean {
  return Date.parse(from) <= time && time < Date.parse(to);
}
