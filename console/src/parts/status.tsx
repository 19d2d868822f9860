import type { ReactNode } from 'react';
import { percent } from './format';
import { Icon, type IconName } from './icons';

type Tone = 'good' | 'info' | 'warn' | 'bad' | 'off';

/** Every status that a screen shows: its word, its colour and its shape. */
const statuses = {
  live: ['Live', 'good', 'check'],
  upToDate: ['Up to date', 'good', 'check'],
  runs: ['Runs it', 'good', 'check'],
  succeeded: ['Succeeded', 'good', 'check'],
  liveForTheRest: ['Live for the rest', 'good', 'check'],
  rollingOut: ['Rolling out', 'info', 'up'],
  getsUpdate: ['Gets an update', 'info', 'up'],
  offered: ['Offered', 'info', 'up'],
  building: ['Building', 'info', 'clock'],
  inReview: ['In review', 'info', 'clock'],
  waits: ['Waits for approval', 'info', 'eye'],
  misses: ['Does not get the newest', 'warn', 'alert'],
  wentBack: ['Went back', 'warn', 'alert'],
  approval: ['Approval', 'info', 'eye'],
  approved: ['Approved', 'good', 'check'],
  held: ['Held', 'warn', 'pause'],
  planHeld: ['Plan held', 'warn', 'pause'],
  paused: ['Paused', 'warn', 'pause'],
  frozen: ['Frozen', 'warn', 'snow'],
  expiring: ['Expiring', 'warn', 'clock'],
  needsAction: ['Needs action', 'warn', 'alert'],
  failed: ['Failed', 'bad', 'cross'],
  rejected: ['Rejected', 'bad', 'cross'],
  refused: ['Refused', 'bad', 'cross'],
  failing: ['Failing', 'bad', 'cross'],
  damaged: ['Damaged', 'bad', 'cross'],
  expired: ['Expired', 'bad', 'clock'],
  stopped: ['Stopped', 'bad', 'cross'],
  queued: ['Queued', 'off', 'clock'],
  ranIt: ['Ran it', 'off', 'dash'],
  unknown: ['Unknown', 'off', 'dash'],
  planned: ['Planned', 'off', 'clock'],
  superseded: ['Superseded', 'off', 'dash'],
  rolledBack: ['Rolled back', 'off', 'dash'],
  notDelivered: ['Not delivered yet', 'off', 'clock'],
  takenBack: ['Taken back', 'off', 'dash'],
  canceled: ['Canceled', 'off', 'dash'],
  empty: ['Empty', 'off', 'dash'],
} as const satisfies Record<string, readonly [string, Tone, IconName]>;

export type Status = keyof typeof statuses;

/** Its word, such as "Rolling out". */
export const statusWord = (status: Status): string => statuses[status][0];

/** A status as icon and word. @param share of devices that gets the release, 0 to 1 */
export function StatusBadge({ status, share }: { status: Status; share?: number | undefined }): ReactNode {
  const [word, tone, icon] = statuses[status];
  return (
    <span className={`status ${tone}`}>
      <Icon name={icon} />
      {share === undefined ? word : `${word} ${percent(share)}`}
    </span>
  );
}
