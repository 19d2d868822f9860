import {
  type OpenWork,
  openWork,
  processLimits,
  queueLimits,
  type SharedCapacity,
} from '../../src/common/background/shared-capacity.ts';
import { replaceSection } from './sections.ts';
import { table } from './table.ts';

const HEAD = ['Limit', 'What', 'At once', 'Of one account', 'Longest wait', 'Then'];
const OPEN_HEAD = ['Limit', 'What', 'At once', 'Counted', 'Longest wait', 'Then'];

/** docs/capacity.md with the table of what all tenants share. */
export function renderSharedCapacity(page: string): string {
  const processes = table(HEAD, Object.entries<SharedCapacity>(processLimits).map(rowOf));
  const queues = table(HEAD, Object.entries<SharedCapacity>(queueLimits).map(rowOf));
  const open = table(OPEN_HEAD, Object.entries<OpenWork>(openWork).map(openRowOf));
  const withProcesses = replaceSection(page, 'limits of a process', processes);
  return replaceSection(replaceSection(withProcesses, 'limits of queues', queues), 'open work', open);
}

function openRowOf([name, { what, of, counted, outcome }]: readonly [string, OpenWork]): string[] {
  const most = Object.entries(of).map(([whose, count]) => `${count} of one ${whose}`);
  return [`\`${name}\``, what, most.join(', '), counted, 'none', outcome];
}

function rowOf([name, limit]: readonly [string, SharedCapacity]): string[] {
  const { what, atOnce, perAccount, perOrganization, mayWait, longestWait, outcome } = limit;
  const own = perOrganization === undefined ? '' : `, ${perOrganization} of one organization`;
  const waiting = mayWait === undefined ? '' : `, ${mayWait} may wait`;
  return [
    `\`${name}\``,
    what,
    atOnce === null ? 'any number' : String(atOnce),
    `${perAccount}${own}${waiting}`,
    timeOf(longestWait),
    outcome,
  ];
}

function timeOf(seconds: number): string {
  if (seconds === Infinity) return 'no limit';
  if (seconds >= 3600) return 'an hour';
  return seconds > 60 ? `${seconds / 60} min` : `${seconds} s`;
}
