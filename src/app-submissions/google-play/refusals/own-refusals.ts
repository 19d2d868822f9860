import { inPercent } from '../../releases/in-percent.js';
import type { Submission } from '../../submissions/submission.entity.js';
import type { PlayRelease } from '../api/google-play-responses.js';
import type { StoreRefusal } from '../../calls/refusals/refusal.js';
import { nearMiss } from '../../calls/near-miss.js';
import { refused } from '../../calls/refusals/refused.js';
import { PLAY_CONSOLE } from './play-pages.js';

export function otherFile(versionCode: string): StoreRefusal {
  return refused(
    'version_code_used',
    `Google Play has another file with the version code ${versionCode}. Raise versionCode, build again and submit that build; a retry does not help.`,
  );
}

export function nothingToPromote(versionCode: string): StoreRefusal {
  return refused(
    'version_code_unknown',
    `Google Play does not have the version code ${versionCode}, so there is nothing to promote. Raise versionCode, build again and submit that build; a retry does not help.`,
  );
}

/** @param ahead the release of the version that users have */
export function takesFromUsers(
  { releaseStatus, userFraction }: Pick<Submission, 'releaseStatus' | 'userFraction'>,
  ahead: Pick<PlayRelease, 'userFraction'>,
): StoreRefusal {
  if (releaseStatus !== 'completed') {
    return refused(
      'release_ahead',
      'Users of the track have this version already, so a draft would take it from them. To stop its rollout, set the share of its deployment to 0; a retry does not help.',
    );
  }
  const share = ahead.userFraction ?? 1;
  return refused(
    'release_ahead',
    `The track has this version at ${inPercent(share)}, and a share only grows, so ${inPercent(userFraction)} is too low. Submit with rolloutPercentage ${share} or more, or change the share of its deployment.`,
  );
}

export function trackMissing(track: string, known: readonly string[]): StoreRefusal {
  const near = nearMiss(track, known);
  const names = known.slice(0, 8).join(', ').slice(0, 100);
  const instead = near === null ? `. It has ${names === '' ? 'none' : names}` : `: ${near}`;
  return refused(
    'track_not_found',
    `The app has no track "${track.slice(0, near === null ? 60 : 45)}" in Google Play${instead}. Correct googlePlayTrack of the destination, or create the track in the Play Console; then submit again.`,
    { retry: 'after-action' },
  );
}

export function unanswered(): StoreRefusal {
  return refused(
    'commit_unanswered',
    'Google Play has not confirmed the commit, although it was sent several times. Make the release in the Play Console, which often shows the cause, such as a missing right for production.',
    { link: PLAY_CONSOLE },
  );
}

/** @param what Google Play does instead of a change that the App Store has */
export function notInGooglePlay(what: string): StoreRefusal {
  return refused(
    'release_change_unsupported',
    `Google Play ${what}, so Slipway cannot do that. Use the Play Console.`,
    { link: PLAY_CONSOLE },
  );
}
