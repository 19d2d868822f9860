import { nearMiss } from '../../calls/store-text.js';
import type { StoreRefusal } from '../../calls/refusals/refusal.js';
import { refused } from '../../calls/refusals/refusal.js';
import type { AppVersion } from '../api/app-store-resources.js';
import { CONNECT_APPS } from '../apple-pages.js';

const NOTHING_TWICE = 'then submit this build again: nothing is uploaded twice.';

/** @param known bundle ids that the store has */
export function appMissing(bundleId: string, known: readonly string[]): StoreRefusal {
  const near = nearMiss(bundleId, known);
  return refused(
    'app_not_found',
    `App Store Connect shows this key no app with the bundle id ${near === null ? bundleId.slice(0, 80) : `${bundleId.slice(0, 50)}: ${near}`}. Create the app there, or set a key of its team at the destination, or its appleAppId; then submit again.`,
    { retry: 'after-action' },
  );
}

export function otherBundleId(appId: string, found: string, expected: string): StoreRefusal {
  const near = nearMiss(expected, [found]);
  return refused(
    'bundle_id_differs',
    `The app ${appId.slice(0, 20)} in App Store Connect has the bundle id ${found.slice(0, 60)}, and this ipa has ${expected.slice(0, 60)}${near === null ? '' : `: ${near}`}. Correct appleAppId of the destination, or submit a build of that app; a retry does not help.`,
  );
}

export function groupMissing(name: string, known: readonly string[]): StoreRefusal {
  const near = nearMiss(name, known);
  const names = known.slice(0, 8).join(', ').slice(0, 90);
  const which =
    near === null
      ? `${name.slice(0, 60)}". It has ${names === '' ? 'none' : names}`
      : `${name.slice(0, 35)}": ${near}`;
  return refused(
    'beta_group_not_found',
    `The app has no TestFlight group "${which}. Correct appleBetaGroups of the destination, or create the group in App Store Connect; then submit again.`,
    { retry: 'after-action' },
  );
}

export function groupTwice(name: string): StoreRefusal {
  return refused(
    'beta_group_ambiguous',
    `The app has two TestFlight groups "${name.slice(0, 60)}", so Slipway cannot know which testers are meant. Rename one of them in App Store Connect and submit again.`,
    { retry: 'after-action' },
  );
}

export function trainClosed(version: string, closing: string): StoreRefusal {
  return refused(
    'version_closed',
    `Apple has approved the version ${closing.slice(0, 20)}, so it takes no more builds of ${version.slice(0, 20)}. Raise CFBundleShortVersionString above ${closing.slice(0, 20)}, build again and submit that build; a retry does not help.`,
  );
}

export function buildNumberUsed(version: string, buildNumber: string): StoreRefusal {
  return refused(
    'build_number_used',
    `App Store Connect has another build ${version.slice(0, 20)} (${buildNumber.slice(0, 20)}), or one that this app has not sent. Raise CFBundleVersion, build again and submit that build; a retry does not help.`,
  );
}

export function fileDamaged(): StoreRefusal {
  return refused(
    'file_damaged',
    'The bytes of the ipa in the storage of this server are damaged or gone. Build or import it again, and submit that build; a retry with this one does not help.',
  );
}

/** An upload whose file nothing is known about. */
export function fileUnknown(): StoreRefusal {
  return refused(
    'upload_incomplete',
    'App Store Connect has not said in a usable way where the file is to be sent. Slipway begins the upload again; after too many attempts, submit again later.',
    { retry: 'again', does: 'new-upload' },
  );
}

export function deliveryUnanswered(): StoreRefusal {
  return refused(
    'upload_unanswered',
    'App Store Connect has not confirmed the end of the upload, although it was sent several times. Submit this build again later: Slipway looks first whether it has arrived.',
    { retry: 'after-action' },
  );
}

export function processingTakesTooLong(hours: number): StoreRefusal {
  return refused(
    'processing_too_long',
    `Apple has processed the build for ${hours} hours without an end. Look at Apple's system status, and submit this build again later: that goes on with it and uploads nothing.`,
    { retry: 'after-action', link: 'https://developer.apple.com/system-status/' },
  );
}

export function buildUnusable(what: string): StoreRefusal {
  return refused(
    'build_unusable',
    `The build in App Store Connect ${what}, so no tester can get it. Raise CFBundleVersion, build again and submit that build; a retry does not help.`,
  );
}

export function changesItsMind(): StoreRefusal {
  return refused(
    'store_answer_unexpected',
    'App Store Connect names another build for this upload again and again. Look at the builds in TestFlight there, and submit again when there is one.',
    { retry: 'after-action' },
  );
}

export function complianceMissing(): StoreRefusal {
  return refused(
    'compliance_missing',
    'Nothing says whether the build uses encryption that is not exempt. Set ITSAppUsesNonExemptEncryption in Info.plist, or appleUsesNonExemptEncryption of the destination; then submit again.',
    { retry: 'after-action' },
  );
}

export function otherCompliance(found: boolean): StoreRefusal {
  return refused(
    'compliance_differs',
    `App Store Connect has the answer ${found ? 'yes' : 'no'} about the encryption of this build, and it cannot be changed. Correct ITSAppUsesNonExemptEncryption or appleUsesNonExemptEncryption of the destination; another answer needs another build.`,
  );
}

export function documentsMissing(link: string): StoreRefusal {
  return refused(
    'compliance_documents_missing',
    'Apple wants documents about the encryption of this app before testers get the build. Add them in App Store Connect (App Information, App Encryption Documentation), then submit this build again: nothing is uploaded twice.',
    { retry: 'after-action', link },
  );
}

export function documentsInReview(link: string): StoreRefusal {
  return refused(
    'compliance_documents_in_review',
    'Apple is reviewing the documents about the encryption of this app. When they are approved, submit this build again: nothing is uploaded twice.',
    { retry: 'after-action', link },
  );
}

export function complianceLost(link: string): StoreRefusal {
  return refused(
    'compliance_unanswered',
    'App Store Connect takes the answer about encryption, but does not keep it. Give it in TestFlight there, then submit this build again: nothing is uploaded twice.',
    { retry: 'after-action', link },
  );
}

export function betaRejected(link: string): StoreRefusal {
  return refused(
    'beta_rejected',
    "Apple's beta review has rejected this build. Read why in App Store Connect, raise CFBundleVersion, build again and submit that build. A retry with this build does not help.",
    { link },
  );
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

function afterAction(code: string, sentence: string, link: string): StoreRefusal {
  return refused(code, sentence, { retry: 'after-action', link });
}

function nameOf({ versionString }: Pick<AppVersion, 'versionString'>): string {
  return versionString === '' ? 'another version' : `the version ${versionString.slice(0, 20)}`;
}
