import { type ErrorDetails, GoogleError } from './google-error.ts';
import { alreadyInReview, NOT_SENT } from './publisher/release-rules.ts';
import { unauthenticated } from './service-accounts.ts';
import type { Call } from './publisher/routes.ts';

/** A refusal that a test can ask for by its name. */
export interface Refusal {
  /** Where Google answers it; the first one unless a test says otherwise. */
  readonly calls: readonly Call[];
  readonly error: () => GoogleError;
}

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  410: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
};

/** One row. @param calls separated by commas */
function row(calls: string, code: number, message: string | null, more?: ErrorDetails): Refusal {
  const error = (): GoogleError => new GoogleError(code, STATUSES[code] ?? 'UNKNOWN', message, more);
  return { calls: calls.split(',') as Call[], error };
}

const errorInfo = (reason: string): ErrorDetails => ({
  details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
});
const API =
  'Google Play Android Developer API has not been used in project 123456789 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/androidpublisher.googleapis.com/overview?project=123456789 then retry.';
const LETTER = 'You must let us know whether your app uses any';
const UPGRADE =
  'You cannot rollout this release because it does not allow any existing users to upgrade to the newly added';
const HEALTH = 'https://support.google.com/googleplay/android-developer/answer/14738291';

/**
 * What Google Play refuses, by name. The sentences of tramlinehq/tramline
 * (app/libs/installations/google/play_developer/error.rb) and of logs in public issues; where only a part of a sentence
 * is known, the rest is made up.
 */
export const REFUSALS = {
  unauthenticated: { calls: ['insert', 'putChunk', 'commit'], error: unauthenticated },
  unauthorized: row('insert,putChunk,commit', 403, 'Unauthorized'),
  'no permission': row('insert,commit', 403, 'The caller does not have permission'),
  'insufficient permissions': row('insert,commit', 403, 'Request had insufficient permissions.'),
  'api disabled': row('insert', 403, API, errorInfo('SERVICE_DISABLED')),
  'consumer invalid': row(
    'insert',
    403,
    "Project 'project:example-project' not found or deleted.",
    errorInfo('CONSUMER_INVALID'),
  ),
  'project not linked': row(
    'insert',
    403,
    'The project id used to call the Google Play Developer API has not been linked in the Google Play Developer Console.',
    { reason: 'projectNotLinked' },
  ),
  'package not found': row('insert', 404, 'Package not found: com.example.app.'),
  'edit deleted': row('updateTrack,putChunk,commit', 400, 'This Edit has been deleted.'),
  'edit deleted, old': row('updateTrack,putChunk,commit', 410, 'This Edit has been deleted.', {
    reason: 'editDeleted',
  }),
  'edit expired': row('updateTrack,putChunk,commit', 400, 'This edit has expired, please create a new Edit.'),
  'already committed': row(
    'commit',
    400,
    'This edit has already been successfully committed, please create a new Edit.',
  ),
  'concurrent update': row('insert,updateTrack,commit', 409, 'Concurrent update.', {
    reason: 'concurrentUpdate',
  }),
  'already in review': { calls: ['commit'], error: () => alreadyInReview('com.example.app') },
  'not sent for review': row('validate,commit', 400, NOT_SENT),
  'must not be set': row(
    'commit',
    400,
    'Changes are sent for review automatically. The query parameter changesNotSentForReview must not be set.',
  ),
  'draft app': row('validate,commit', 400, 'Only releases with status draft may be created on draft app.'),
  'first release staged': row('commit', 400, 'The first release on a track cannot be staged.'),
  'no countries': row('validate,commit', 403, 'Release in track targeting no countries.'),
  'country targeting': row(
    'validate,commit',
    400,
    'Country targeting is only supported for staged releases.',
  ),
  'fully released': row('updateTrack,commit', 400, 'Fully released can not be staged.'),
  'too many staged': row('updateTrack,commit', 400, 'Too many staged releases.'),
  'too many completed': row('updateTrack,commit', 400, 'Too many completed releases.'),
  'account issues': row(
    'commit',
    403,
    "There are issues with your account which mean you can't publish changes to your app or send changes for review.",
  ),
  'advertising id': row(
    'commit',
    400,
    "This release includes the com.google.android.gms.permission.AD_ID permission but your declaration on Play Console says your app doesn't use advertising ID.",
  ),
  'exact alarm': row('commit', 403, `${LETTER} exact alarm permissions.`),
  'foreground service': row('commit', 403, `${LETTER} Foreground Service permissions.`),
  'photo and video': row('commit', 403, `${LETTER} photo and video permissions.`),
  'health features': row(
    'commit',
    403,
    `You must let us know whether your app has any health features. See ${HEALTH}.`,
  ),
  'health connect': row(
    'commit',
    403,
    'Your app has no approval to use the requested Health Connect permissions.',
  ),
  'permission declaration': row(
    'validate,commit',
    403,
    'A permission of the new version is missing from permission declaration.',
  ),
  'outdated declaration': row('validate,commit', 403, 'Your permission declaration needs to be updated.'),
  'data safety': row('commit', 400, 'The app has no data safety declaration.'),
  'privacy policy': row(
    'commit',
    400,
    'Your APK or Android App Bundle is using permissions that require a privacy policy: (android.permission.CAMERA).',
  ),
  'not signed': row(
    'putChunk',
    403,
    'The Android App Bundle was not signed. Please sign the bundle using jarsigner.',
  ),
  'debug signed': row(
    'putChunk',
    403,
    'You uploaded an APK or Android App Bundle that was signed in debug mode. You need to sign it in release mode.',
  ),
  'wrong key': row(
    'putChunk',
    403,
    'The Android App Bundle was signed with the wrong key. Found: SHA1: AA:AA:AA, expected: SHA1: BB:BB:BB.',
  ),
  'upload certificate': row(
    'putChunk',
    403,
    'The certificate that signs the app does not match the upload certificate.',
  ),
  'wrong package name': row('putChunk', 403, 'APK has the wrong package name. Expected com.example.app.'),
  'apks not allowed': row('putChunk', 403, 'APKs are not allowed for this application.'),
  'play signing': row('putChunk', 403, 'App bundles need an app that is enrolled in Play Signing.'),
  'no zip': row('putChunk', 403, 'APK is not a valid ZIP archive.'),
  'build-apks': row(
    'putChunk',
    403,
    "We have failed to run 'bundletool build-apks' on this Android App Bundle. Please ensure your bundle is valid by running 'bundletool build-apks' locally and try again. Error message output: File 'BundleConfig.pb' was not found.",
  ),
  'install size': row(
    'putChunk',
    403,
    'The Android App Bundle may be too large to install on some devices: confirm the installation warning with ackBundleInstallationWarning.',
  ),
  'version code used': row('putChunk', 403, 'APK specifies a version code that has already been used.'),
  'published apk': row('putChunk', 403, 'Cannot update a published APK.', {
    reason: 'cannotUpdatePublishedApk',
  }),
  'version codes not found': row('commit', 404, 'The following version codes could not be found: 42.'),
  'no upgrade': row('validate,commit', 403, `${UPGRADE} app bundles.`),
  downgraded: row('validate,commit', 403, 'Some users would be downgraded by this release.'),
  'downloaded by no devices': row(
    'validate,commit',
    403,
    'Version 41 is not going to be downloaded by any devices, because newer versions shadow it.',
  ),
  'target sdk': row('commit', 403, 'Target SDK of artifact is too low: 42.'),
  'target sdk, old': row(
    'putChunk',
    403,
    'Your app currently targets API level 30 and must target at least API level 35.',
  ),
  'uploads not completed': row(
    'validate,commit',
    400,
    'Some of the Android App Bundle uploads are not completed yet. Please try again later.',
  ),
  'notes too long': row('commit', 403, 'The release notes for language en-US are too long (max: 500).'),
  'language not supported': row('updateTrack', 400, 'The language is not currently supported: xx-YY.'),
  'language not associated': row('commit', 403, 'The language de-DE is not associated with the app.'),
  'track not found': row('validate,updateTrack', 400, 'Track not found: nightly.'),
  'rate limit': row(
    'insert,putChunk,commit',
    403,
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'androidpublisher.googleapis.com' for consumer 'project_number:123456789'.",
    { reason: 'rateLimitExceeded', headers: { 'Retry-After': '1' } },
  ),
  'daily quota': row('insert,commit', 403, 'Daily Limit Exceeded.', { reason: 'dailyLimitExceeded' }),
  'too many requests': row('insert,putChunk,commit', 429, 'Resource has been exhausted (e.g. check quota).', {
    headers: { 'Retry-After': '1' },
  }),
  'internal error': row('insert,updateTrack,commit', 500, 'Internal error encountered.'),
  'null message': row('commit', 500, null),
  'bad gateway': row('insert,putChunk,commit', 502, 'Bad Gateway'),
  unavailable: row('insert,putChunk,commit', 503, 'The service is currently unavailable.', {
    headers: { 'Retry-After': '1' },
  }),
} satisfies Record<string, Refusal>;

export type RefusalName = keyof typeof REFUSALS;
