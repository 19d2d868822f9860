import { refusalOfError } from '../calls/refusals/retry-delay.js';
import { inPercent, type ReleaseLook } from '../releases/release-look.js';
import type { ReleaseStatus } from '../releases/store-release.entity.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import type { PlayRelease, ReleaseSummary } from './api/google-play-responses.js';
import { trackOf } from './play-state.js';
import { PLAY_CONSOLE } from './refusals/play-pages.js';
import { codeOf } from './release-of.js';

/** The share of users of a release, which Google Play shows in an edit only. */
export interface PlayShare {
  /** 0: halted; 1: all users; `null`: not known, as of a draft that a person has finished. */
  readonly userFraction: number | null;
  /** While it is halted, the share that it had before; `null`: not known, or it is not halted. */
  readonly resumeFraction: number | null;
}

type Released = Pick<Submission, 'versionCode' | 'track' | 'releaseStatus'>;

const UNKNOWN: PlayShare = { userFraction: null, resumeFraction: null };

/** The share that a submission gives to its release: a draft has none, because a person finishes it. */
export function shareOf({ releaseStatus, userFraction }: Pick<Submission, 'releaseStatus' | 'userFraction'>) {
  return releaseStatus === 'completed' ? { userFraction, resumeFraction: null } : UNKNOWN;
}

/** The share of a release of an edit. */
export function shareOfRelease({ status, userFraction }: PlayRelease): PlayShare {
  if (status === 'completed') return { userFraction: 1, resumeFraction: null };
  if (status === 'inProgress') return { userFraction, resumeFraction: null };
  return status === 'halted' ? { userFraction: 0, resumeFraction: userFraction } : UNKNOWN;
}

/**
 * Where a release is.
 *
 * @param submission that has made it
 * @param releases of its track, as it shows them without an edit
 * @param share the last one that is known
 * @param known what was known before; `null`: nothing
 */
export function lookOf(
  submission: Released,
  releases: readonly ReleaseSummary[],
  share: PlayShare,
  known: ReleaseLook | null,
): ReleaseLook {
  const code = codeOf(submission);
  const own = releases.find(({ versionCodes }) => versionCodes.includes(code));
  if (own !== undefined) return ownLook(submission, own.state, share, known);
  const track = nameOf(submission);
  const highest = (state: string): number =>
    Math.max(0, ...releases.filter((one) => one.state === state).flatMap(({ versionCodes }) => versionCodes));
  const follower = highest('PUBLISHED');
  if (follower > code) {
    return look('replaced', null, share, `The track ${track} has the version code ${follower} now.`);
  }
  const next = Math.max(highest('IN_REVIEW'), highest('APPROVED_NOT_PUBLISHED'));
  if (next > code && known !== null) {
    const message = `The track ${track} has the version code ${next}, which is not published yet.`;
    return { ...known, message, storeStatus: null, link: PLAY_CONSOLE };
  }
  const message = `The track ${track} does not show the release any more. Look for it in the Play Console.`;
  return look('removed', null, share, message);
}

/** What a person may have to do, by the state of the release. */
const MESSAGES: Readonly<Record<string, readonly [ReleaseStatus, string]>> = {
  DRAFT: ['draft', 'The release is a draft: finish it in the Play Console.'],
  NOT_SENT_FOR_REVIEW: [
    'not_sent_for_review',
    'The release is not sent for review: send it in the Play Console under "Publishing overview".',
  ],
  IN_REVIEW: ['in_review', 'Google Play reviews the release.'],
  NOT_APPROVED: [
    'rejected',
    'Google Play has not approved the release. Read why in the Play Console, and submit a build with a higher version code.',
  ],
  APPROVED_NOT_PUBLISHED: [
    'approved',
    'Google Play has approved the release and not published it. With managed publishing, publish it in the Play Console.',
  ],
};

function ownLook(
  submission: Released,
  state: string | null,
  share: PlayShare,
  known: ReleaseLook | null,
): ReleaseLook {
  if (state === 'PUBLISHED') return publishedLook(submission, share);
  const found = Object.hasOwn(MESSAGES, state ?? '') ? MESSAGES[state ?? ''] : undefined;
  if (found !== undefined) return look(found[0], state, share, found[1]);
  const shown = state === null ? 'in no state' : `in the state ${state.slice(0, 60)}`;
  return look(
    known?.status ?? 'in_review',
    state,
    share,
    `Google Play shows the release ${shown}, which Slipway does not know. Look for it in the Play Console.`,
  );
}

/** Where a release is that Google Play has published. */
export function publishedLook(submission: Released, share: PlayShare): ReleaseLook {
  const { userFraction, resumeFraction } = share;
  const track = nameOf(submission);
  if (userFraction === 0) {
    const at = resumeFraction === null ? '' : ` at ${inPercent(resumeFraction)}`;
    return look(
      'halted',
      'PUBLISHED',
      share,
      `The rollout is halted${at}: no further users get the release.`,
    );
  }
  if (userFraction !== null && userFraction < 1) {
    const message = `${inPercent(userFraction)} of the users of the track ${track} get the release.`;
    return look('rolling_out', 'PUBLISHED', share, message);
  }
  const message =
    userFraction === null
      ? `The release is published on the track ${track}. The Play Console shows how many users get it.`
      : `All users of the track ${track} get the release.`;
  return look('released', 'PUBLISHED', share, message);
}

function look(
  status: ReleaseStatus,
  storeStatus: string | null,
  { userFraction, resumeFraction }: PlayShare,
  message: string,
): ReleaseLook {
  return { status, userFraction, resumeFraction, message, storeStatus, link: PLAY_CONSOLE };
}

function nameOf({ track }: Released): string {
  return (track ?? '').slice(0, 60);
}

/**
 * Where a release is that was just made, or whose share was just set. That has happened, so it does not fail when Google Play
 * does not show it.
 *
 * @param submission that has made it, or that changes it
 * @param share the one that it has now
 */
export async function lookAfterwards(
  client: GooglePlayClient,
  submission: Submission,
  share: PlayShare,
): Promise<ReleaseLook> {
  try {
    const look = lookOf(submission, await client.releases(trackOf(submission)), share, null);
    if (look.status !== 'removed' && look.status !== 'replaced') return look;
  } catch (error) {
    if (refusalOfError(error) === null) throw error;
  }
  return assumedLook(submission, share);
}

/** A new release may be in review; one whose share changes is published. */
function assumedLook(submission: Submission, share: PlayShare): ReleaseLook {
  const { action, releaseStatus } = submission;
  const isDraft = releaseStatus === 'draft';
  const state = action === 'set-rollout' ? 'PUBLISHED' : isDraft ? 'DRAFT' : 'IN_REVIEW';
  const shown = { name: null, state, versionCodes: [codeOf(submission)] };
  return { ...lookOf(submission, [shown], share, null), storeStatus: null };
}
