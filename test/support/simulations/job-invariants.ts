import { finalJobStatuses } from '../../../src/jobs/jobs/job.entity.js';
import { type JobModel, type JobRow, LEASE_SECONDS, type Snapshot } from './job-model.js';

const LEASE = LEASE_SECONDS * 1000;
/** A job that was not started goes back after so many milliseconds (`START_WITHIN`). */
const START_WITHIN = 10 * LEASE;
/** A job that takes too long is ended so many milliseconds after its limit (`TIMEOUT_GRACE`). */
const TIMEOUT_GRACE = 15 * LEASE;
/** A job that writes nothing is ended after so many milliseconds: `JOB_IDLE_SECONDS` and a lease. */
const IDLE = 1200_000 + LEASE;
/** Milliseconds between reading the clock and moving it. */
const SLACK = 100;

export function isFinal(status: string): boolean {
  return (finalJobStatuses as readonly string[]).includes(status);
}

/**
 * What must never be.
 *
 * @param model with what was read before in `last`
 * @returns a sentence for each violation
 */
export function violationsOf(model: JobModel, now: Snapshot): string[] {
  const missing = [...model.jobs.keys()].filter((id) => !now.jobs.has(id));
  const most = model.created + model.unknownCreates.length;
  return [
    ...missing.map((id) => `The job ${id} was acknowledged, but is not there.`),
    ...(now.jobs.size > most
      ? [`There are ${now.jobs.size} jobs, but ${most} requests at most made one.`]
      : []),
    ...limitViolations(model, now),
    ...[...now.jobs.values()].flatMap((row) => [
      ...stateViolations(row),
      ...acknowledgementViolations(model, row),
      ...changeViolations(model, row),
    ]),
  ];
}

/** One live attempt: a runner has the job if and only if it is pending or in progress. */
function stateViolations(row: JobRow): string[] {
  const times = [row.queuedAt, row.pendingAt, row.inProgressAt, row.finishedAt].filter(
    (time) => time !== null,
  );
  return when(row, {
    'has a status that does not fit its lease':
      ['pending', 'in_progress'].includes(row.status) !== (row.leaseId !== null),
    'has more than two attempts': row.attempts > 2,
    'waits for a third attempt': row.status === 'queued' && row.attempts >= 2,
    'has times in the wrong order': times.some((time, index) => time < (times[index - 1] ?? 0)),
  });
}

/** Where a runner got a job, no more run than may. */
function limitViolations(model: JobModel, now: Snapshot): string[] {
  const running = [...now.jobs.values()].filter(({ leaseId }) => leaseId !== null);
  const isNew = (row: JobRow): boolean => model.last.jobs.get(row.id)?.leaseId !== row.leaseId;
  const over = (name: string, rows: JobRow[], limits: readonly number[]): string[] =>
    rows.some(isNew) && !limits.includes(0) && rows.length > Math.max(...limits)
      ? [`${rows.length} jobs of the ${name} run: ${limits.join(' or ')} may.`]
      : [];
  const { limits, formerLimits } = model;
  return [
    ...over('organization', running, [limits.organization, formerLimits.organization]),
    ...model.appIds.flatMap((appId, index) =>
      over(
        `app ${index}`,
        running.filter((row) => row.appId === appId),
        [limits.apps[index] ?? 0, formerLimits.apps[index] ?? 0],
      ),
    ),
  ];
}

/** Every acknowledged write is there. */
function acknowledgementViolations(model: JobModel, row: JobRow): string[] {
  const job = model.jobs.get(row.id);
  const holds = model.holdsOf(row.id);
  return when(row, {
    'was canceled, but is not': job?.isCanceled === true && row.status !== 'canceled',
    'was finished by its runner, but is not':
      job?.end != null && (row.status !== job.end.status || row.finishedLeaseId !== job.end.leaseId),
    'was started, but its attempt does not count': holds.some(
      ({ isStarted, attempt }) => isStarted && row.attempts < attempt,
    ),
    'has lost lines of its log': holds.some(
      (hold) => hold.leaseId === row.leaseId && row.logBytes < logOf(hold.leaseId, hold.lines).length,
    ),
  });
}

/** Nothing changes without a cause. */
function changeViolations(model: JobModel, row: JobRow): string[] {
  const before = model.last.jobs.get(row.id);
  if (before === undefined) return [];
  const job = model.jobs.get(row.id);
  const clock = model.latestClock + SLACK;
  const lost = before.leaseId !== null && before.leaseId !== row.leaseId;
  const hold = model.holds.find(({ leaseId }) => leaseId === before.leaseId);
  const isExpired = before.leaseId === null || before.expiresAt < clock;
  const ended = isFinal(row.status) && !isFinal(before.status);
  const hasAskedEnd = model
    .holdsOf(row.id)
    .some(({ leaseId, endsAsked }) => leaseId === row.finishedLeaseId && endsAsked.has(row.status));
  const hasTimedOut =
    (row.inProgressAt ?? Infinity) + row.timeoutSeconds * 1000 + TIMEOUT_GRACE < clock ||
    before.loggedAt + IDLE < clock;
  return when(row, {
    'has changed after its end': isFinal(before.status) && endOf(before) !== endOf(row),
    'has fewer attempts than before': row.attempts < before.attempts,
    'was canceled by no one': ended && row.status === 'canceled' && job?.isCancelAsked === false,
    'has an end that no runner asked for': ended && row.finishedLeaseId !== null && !hasAskedEnd,
    'has timed out too early':
      ended && row.finishedLeaseId === null && row.status === 'timed_out' && !hasTimedOut,
    'has failed without two lost runners':
      ended && row.finishedLeaseId === null && row.status === 'failed' && !(row.attempts === 2 && isExpired),
    'has an end without a cause':
      ended && row.finishedLeaseId === null && ['succeeded', 'rejected'].includes(row.status),
    'was taken from its runner too early':
      lost &&
      !ended &&
      !isExpired &&
      hold !== undefined &&
      !(before.status === 'pending' && (hold.isSessionOver || before.grantedAt + START_WITHIN < clock)),
  });
}

/** The text of the first lines of a log. It is the same for each try, so that lines can be sent again. */
export function logOf(leaseId: string, lines: number): string {
  return Array.from({ length: lines }, (_, index) => `${leaseId} ${index}\n`).join('');
}

function endOf({ status, statusMessage, attempts, finishedLeaseId, leaseId }: JobRow): string {
  return JSON.stringify([status, statusMessage, attempts, finishedLeaseId, leaseId]);
}

function when(row: JobRow, cases: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(cases)
    .filter(([, isSo]) => isSo)
    .map(([sentence]) => `The job ${row.id} ${sentence}: ${JSON.stringify(row)}`);
}
