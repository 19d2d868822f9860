import { type StoreRefusal, refused } from '../../../calls/refusals/refusal.js';
import { nearMiss } from '../../../calls/store-text.js';

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
