import { type StoreRefusal, refused } from '../../../calls/refusals/refusal.js';
import { CONNECT_APPS } from '../../refusals/apple-pages.js';
import type { AppVersion } from '../../api/responses/app-store-resources.js';

const NOTHING_TWICE = 'then submit this build again: nothing is uploaded twice.';

function afterAction(code: string, sentence: string, link: string): StoreRefusal {
  return refused(code, sentence, { retry: 'after-action', link });
}

function nameOf({ versionString }: Pick<AppVersion, 'versionString'>): string {
  return versionString === '' ? 'another version' : `the version ${versionString.slice(0, 20)}`;
}

export function versionInReview(version: AppVersion, link: string): StoreRefusal {
  const state = version.state === 'IN_REVIEW' ? 'is in review' : 'waits for its review';
  return afterAction(
    'version_in_review',
    `Apple reviews one version at a time, and ${nameOf(version)} ${state}. Wait for its end, withdraw it, or set appleRejectIfPossible of the destination; ${NOTHING_TWICE}`,
    link,
  );
}

export function versionApproved(version: AppVersion, link: string): StoreRefusal {
  const what =
    version.state === 'PROCESSING_FOR_DISTRIBUTION'
      ? 'goes live now. Wait until it is live'
      : 'is approved and not live yet, and Slipway never takes that back. Release it, or cancel its release in App Store Connect';
  return afterAction(
    'version_approved',
    `Apple takes one version at a time, and ${nameOf(version)} ${what}; ${NOTHING_TWICE}`,
    link,
  );
}

export function severalVersions(versions: readonly AppVersion[], link: string): StoreRefusal {
  const names = versions.map(({ versionString }) => versionString.slice(0, 20)).slice(0, 4);
  return afterAction(
    'version_ambiguous',
    `App Store Connect has several versions of the app that can be changed (${names.join(', ')}), so Slipway cannot know which one is meant. Delete all but one there; ${NOTHING_TWICE}`,
    link,
  );
}

/** @param minutes that it was waited for */
export function reviewNotEnded(minutes: number, link: string): StoreRefusal {
  return afterAction(
    'review_not_ended',
    `App Store Connect has not taken the other version out of the review for ${minutes} minutes. See there where it is; when it can be changed, ${NOTHING_TWICE.replace('then ', '')}`,
    link,
  );
}

export function reviewOccupied(link: string): StoreRefusal {
  return afterAction(
    'review_occupied',
    `A submission for review that was not sent has other things in App Store Connect, such as an event or another version, which Slipway would send as well. Send or remove them there; ${NOTHING_TWICE}`,
    link,
  );
}

export function reviewUnanswered(link: string): StoreRefusal {
  return afterAction(
    'review_unanswered',
    'App Store Connect has not confirmed the start of the review, although it was asked for several times. See there whether the version waits for review; if it does not, submit this build again.',
    link,
  );
}

/** The change is about a version that its release no longer has. */
export function releaseGone(): StoreRefusal {
  return refused(
    'store_release_gone',
    'App Store Connect does not have the version of this release any more, or it has another build. Submit the build again to release it; a retry does not help.',
    { link: CONNECT_APPS },
  );
}

/** @param why one sentence about where the release is, with what to do */
export function notChangeable(what: string, why: string, link: string | null): StoreRefusal {
  return refused('release_state', `The version cannot be ${what} now. ${why}`.slice(0, 300), {
    ...(link !== null && { link }),
  });
}

/** The store says yes to a change, and shows nothing of it. */
export function releaseUnclear(what: string, link: string | null): StoreRefusal {
  return refused(
    'release_unclear',
    `App Store Connect says that the phased release is ${what}, and shows something else. See there where it is, and try again if it is not as you want it.`,
    { retry: 'after-action', ...(link !== null && { link }) },
  );
}
