import type { Submission } from '../../submissions/submission.entity.js';
import type { NewPlayRelease, PlayRelease, ReleaseSummary } from '../api/google-play-responses.js';
import { refused } from '../../calls/refusals/refused.js';
import type { PlayNotes } from './release-notes.js';

type Wanted = Pick<Submission, 'versionCode' | 'releaseStatus' | 'userFraction'>;

/** The release that a submission makes. */
export function releaseOf(
  submission: Wanted & Pick<Submission, 'inAppUpdatePriority'>,
  { notes }: PlayNotes,
): NewPlayRelease {
  const { inAppUpdatePriority, userFraction } = submission;
  const status = statusOf(submission);
  return {
    versionCodes: [codeOf(submission)],
    status,
    ...(status === 'inProgress' && { userFraction }),
    ...(notes.length > 0 && { releaseNotes: notes }),
    ...(inAppUpdatePriority !== null && { inAppUpdatePriority }),
  };
}

/** A draft has no users yet, and so no share of them. */
function statusOf({ releaseStatus, userFraction }: Wanted): 'draft' | 'inProgress' | 'completed' {
  if (releaseStatus !== 'completed') return 'draft';
  return userFraction < 1 ? 'inProgress' : 'completed';
}

/** @throws StoreRefusal */
export function codeOf({ versionCode }: Pick<Submission, 'versionCode'>): number {
  const code = Number(versionCode);
  if (Number.isSafeInteger(code) && code > 0) return code;
  throw refused(
    'version_code_invalid',
    `Google Play takes no version code such as "${versionCode.slice(0, 20)}". Set versionCode to a whole number above 0, build again and submit that build.`,
  );
}

/** The type of the file. @throws StoreRefusal when Google Play takes no such files */
export function playArtifactType({ artifactType }: Submission): 'aab' | 'apk' {
  if (artifactType !== 'ipa') return artifactType;
  throw refused('artifact_wrong_type', 'Google Play takes no ipa files. Submit a build for Android.');
}

/** Whether the track has the release as the submission wants it. */
export function isReleased(submission: Wanted, releases: readonly PlayRelease[]): boolean {
  const status = statusOf(submission);
  return releases.some(
    (release) =>
      release.versionCodes.includes(codeOf(submission)) &&
      release.status === status &&
      (status !== 'inProgress' || Math.abs((release.userFraction ?? 1) - submission.userFraction) < 1e-6),
  );
}

/**
 * The release of the version that users have and the submission would take from some: with a draft in its place, or a lower
 * share. A completed one cannot become a staged one: Google Play refuses that.
 */
export function findAhead(submission: Wanted, releases: readonly PlayRelease[]): PlayRelease | null {
  const wanted = statusOf(submission);
  const found = releases.find(({ versionCodes, status, userFraction }) => {
    if (!versionCodes.includes(codeOf(submission)) || status === null || status === 'draft') return false;
    if (wanted === 'draft') return true;
    return wanted === 'inProgress' && userFraction !== null && userFraction > submission.userFraction + 1e-6;
  });
  return found ?? null;
}

const NOT_SENT = 'NOT_SENT_FOR_REVIEW';

/** Whether a track shows the release, which no edit is needed for. Its share of users does not show. */
export function isShown(submission: Wanted, releases: readonly ReleaseSummary[]): boolean {
  const wantsDraft = statusOf(submission) === 'draft';
  return shownOf(submission, releases).some(({ state }) => wantsDraft === (state === 'DRAFT'));
}

/** Whether a person still has to send the release for review. */
export function isNotSent(submission: Wanted, releases: readonly ReleaseSummary[]): boolean {
  return shownOf(submission, releases).some(({ state }) => state === NOT_SENT);
}

function shownOf(submission: Wanted, releases: readonly ReleaseSummary[]): ReleaseSummary[] {
  return releases.filter(({ versionCodes }) => versionCodes.includes(codeOf(submission)));
}

/** The highest version code that users of the track have or get; `null`: there is none. */
export function highestCode(releases: readonly ReleaseSummary[]): number | null {
  const codes = releases
    .filter(
      ({ state }) => state === 'PUBLISHED' || state === 'IN_REVIEW' || state === 'APPROVED_NOT_PUBLISHED',
    )
    .flatMap(({ versionCodes }) => versionCodes);
  return codes.length === 0 ? null : Math.max(...codes);
}
