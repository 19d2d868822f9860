import type { CommittedRelease } from '../../stores/google-play/publisher/play-state.js';
import { isFinal } from '../job-invariants.js';
import { isOpen, type SubmissionModel, type SubmissionRow } from './submission-model.js';

/** The statuses that the job of a submission can have, by its state. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  created: ['queued', 'in_progress'],
  preprocessing: ['queued', 'in_progress'],
  preparing: ['queued', 'in_progress'],
  prepared: ['succeeded'],
  failed_with_action_required: ['succeeded'],
  finished_manually: ['succeeded'],
  failed: ['failed', 'canceled', 'timed_out'],
};
/** What the message of a submission says that has ended while its commit was on its way. */
const UNKNOWN = /may be on its track/;

/**
 * What must never be.
 *
 * @param model with what was read before in `last`
 * @param committed all releases that Google Play has made in this run
 * @returns a sentence for each violation
 */
export function violationsOf(
  model: SubmissionModel,
  now: readonly SubmissionRow[],
  committed: readonly CommittedRelease[],
): string[] {
  const ids = new Set(now.map(({ id }) => id));
  const missing = [...model.created].filter((id) => !ids.has(id));
  const most = model.created.size + model.unknownCreates;
  return [
    ...missing.map((id) => `The submission ${id} was acknowledged, but is not there.`),
    ...(now.length > most
      ? [`There are ${now.length} submissions, but ${most} requests at most made one.`]
      : []),
    ...now.flatMap((row) => [...stateViolations(row), ...changeViolations(model, row)]),
    ...openTwice(now),
    ...releaseViolations(now, committed),
  ];
}

function stateViolations(row: SubmissionRow): string[] {
  const name = `The submission ${row.id} (${row.state}, ${row.status})`;
  return [
    ...(STATUSES[row.state]?.includes(row.status) === true
      ? []
      : [`${name} has another state than its job.`]),
    ...(row.hasEdit && !isOpen(row.state) && !row.isCleaning
      ? [`${name} has ended, and keeps its edit.`]
      : []),
    ...(isOpen(row.state) || (row.waitsFor === null && row.sealedUpload === null)
      ? []
      : [`${name} has ended, and still waits or uploads.`]),
    ...(row.state === 'failed' && row.message === null ? [`${name} does not say why.`] : []),
    ...(row.status === 'queued' && row.waitsFor !== null && row.message === null
      ? [`${name} does not say what it waits for.`]
      : []),
  ];
}

/** Nothing changes without a cause. */
function changeViolations(model: SubmissionModel, row: SubmissionRow): string[] {
  const name = `The submission ${row.id} (${row.state}, ${row.status})`;
  const before = model.last.find(({ id }) => id === row.id);
  const wasFinal = before !== undefined && isFinal(before.status);
  const isFinished =
    before?.state === 'failed_with_action_required' &&
    row.state === 'finished_manually' &&
    model.doneAsked.has(row.id);
  return [
    ...(wasFinal && (before.status !== row.status || (before.state !== row.state && !isFinished))
      ? [`${name} had ended as ${before.state}, ${before.status}.`]
      : []),
    ...(model.canceled.has(row.id) && row.status !== 'canceled' ? [`${name} was canceled.`] : []),
    ...(row.status === 'canceled' && !model.cancelAsked.has(row.id)
      ? [`${name} was canceled by no one.`]
      : []),
    ...(row.status === 'canceled' && row.commitSentAt !== null
      ? [`${name} was canceled after its commit.`]
      : []),
  ];
}

/** A build is submitted to a destination once at a time. */
function openTwice(now: readonly SubmissionRow[]): string[] {
  const open = now
    .filter(({ state }) => isOpen(state))
    .map((row) => `${row.artifactId} ${row.destinationId}`);
  return open.filter((key, at) => open.indexOf(key) !== at).map((key) => `Two submissions are open: ${key}.`);
}

/** One release at most for each submission, and one for each that says so. */
function releaseViolations(now: readonly SubmissionRow[], committed: readonly CommittedRelease[]): string[] {
  const keyOf = (packageName: string, code: string, track: string): string =>
    `${packageName} ${code} ${track}`;
  const madeBy = (row: SubmissionRow): string => keyOf(row.packageName, row.versionCode, row.track);
  const releases = committed.flatMap(({ packageName, track, release, editId }) =>
    release.versionCodes.map((code) => ({ key: keyOf(packageName, code, track), editId })),
  );
  const edits = releases.map(({ editId }) => editId);
  const keys = [...new Set([...releases.map(({ key }) => key), ...now.map(madeBy)])];
  return [
    ...edits
      .filter((editId, at) => edits.indexOf(editId) !== at)
      .map((editId) => `The edit ${editId} has made two releases.`),
    ...keys.flatMap((key) => {
      const made = releases.filter((release) => release.key === key).length;
      const own = now.filter((row) => madeBy(row) === key);
      const succeeded = own.filter(({ status }) => status === 'succeeded').length;
      const possible = own.filter(
        ({ state, status, message }) =>
          isOpen(state) || status === 'succeeded' || UNKNOWN.test(message ?? ''),
      ).length;
      return [
        ...(made > possible
          ? [`Google Play has made ${made} releases ${key}, and ${possible} submissions at most did.`]
          : []),
        ...(succeeded > 0 && made === 0
          ? [`A submission says that it has released ${key}, which is not there.`]
          : []),
      ];
    }),
  ];
}
