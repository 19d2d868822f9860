import { linkedTo, partOf, type RefusalRow } from '../../calls/refusals/refusal-row.js';
import { PLAY_CONSOLE } from './play-pages.js';

const SHA1 = /(?:[0-9A-F]{2}:){19}[0-9A-F]{2}/gi;

/** The fingerprints of both keys, of which Google names sometimes one first and sometimes the other. */
function keysOf(said: string): string {
  const [first, second] = said.match(SHA1) ?? [];
  if (first === undefined || second === undefined) return '';
  const isExpectedFirst = said.slice(0, said.indexOf(first)).toLowerCase().includes('expected');
  const [found, expected] = isExpectedFirst ? [second, first] : [first, second];
  return ` (SHA-1 ${found}, expected ${expected})`;
}

/** The uploaded file. */
export const ARTIFACT_REFUSALS: readonly RefusalRow[] = [
  {
    code: 'artifact_signed_for_debugging',
    fragments: ['signed in debug mode'],
    sentence:
      'The file is signed with a debug key. Build it with your upload key and submit that build; a retry does not help.',
  },
  {
    code: 'artifact_unsigned',
    fragments: ['was not signed'],
    sentence:
      'The file is not signed. Build it with a certificate that contains your upload key and submit that build; a retry does not help.',
  },
  {
    code: 'artifact_wrong_key',
    fragments: ['wrong key', 'upload certificate'],
    sentence: (said) =>
      `The file is signed with another key than Google Play expects${keysOf(said)}. Build with the upload key, or reset it under "App integrity"; a retry does not help.`,
    link: PLAY_CONSOLE,
  },
  {
    code: 'artifact_wrong_package',
    fragments: ['wrong package name'],
    sentence:
      'The file belongs to another app: its package name differs from that of the destination. Check the build and the destination; a retry does not help.',
  },
  {
    code: 'artifact_must_be_bundle',
    fragments: ['APKs are not allowed'],
    sentence:
      'Google Play takes no APK for this app. Build an app bundle, and set androidBuildArtifactType of the destination to aab; a retry does not help.',
  },
  {
    code: 'play_signing_missing',
    fragments: ['enrolled in Play Signing'],
    sentence:
      'App bundles need Play App Signing, and the app does not use it. Enrol it in the Play Console under "App integrity" and submit again, or submit an APK; a retry alone does not help.',
    link: PLAY_CONSOLE,
  },
  {
    code: 'artifact_broken',
    fragments: ['not a valid ZIP', 'build-apks'],
    sentence:
      'Google Play cannot read the file: it is damaged or not a valid app bundle. Build again and submit that build; a retry does not help.',
  },
  {
    code: 'artifact_size_warning',
    fragments: ['ackBundleInstallationWarning', 'installation warning', 'trigger a warning on user devices'],
    sentence:
      'The app is so large that devices warn before they install it. Slipway confirms that and uploads again; you have nothing to do.',
    retry: 'again',
    does: 'ack-size-warning',
  },
  {
    code: 'version_code_used',
    fragments: ['already been used', 'Cannot update a published APK'],
    sentence:
      'Google Play has another file with this version code, also if its release was discarded. Raise versionCode, build again and submit that build; a retry does not help.',
    does: 'same-file',
  },
  {
    code: 'target_sdk_too_low',
    fragments: ['Target SDK of artifact is too low', 'must target at least'],
    sentence: (said) => {
      const level = partOf(said, /must target at least API level (\d{1,3})/i);
      const wanted = level === null ? 'the level that Google Play requires' : `${level} or higher`;
      return `The app targets an Android version that is too old. Raise targetSdkVersion to ${wanted}, build again and submit that build; a retry does not help.`;
    },
  },
];

/** Declarations that Google Play wants. They often contain the word "permission", which therefore identifies nothing. */
export const POLICY_REFUSALS: readonly RefusalRow[] = linkedTo(PLAY_CONSOLE, [
  {
    code: 'declaration_advertising_id',
    fragments: ['permission.AD_ID'],
    also: 'declaration',
    sentence:
      'The declaration about the advertising ID does not match the app. Correct "Advertising ID" in the Play Console under "App content"; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_exact_alarm',
    fragments: ['exact alarm'],
    sentence:
      'The app uses exact alarms without a declaration. Declare them in the Play Console under "App content", or remove the permission and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_foreground_service',
    fragments: ['Foreground Service'],
    sentence:
      'The app uses foreground services without a declaration. Declare them in the Play Console under "App content", or remove the permission and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_photo_video',
    fragments: ['photo and video'],
    sentence:
      'The app reads photos and videos without a declaration. Declare that in the Play Console under "App content", or remove the permission and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_health_connect',
    fragments: ['approval to use'],
    also: 'Health Connect',
    sentence:
      'The app has no approval for Health Connect. Ask for it in the Play Console under "App content" and wait for it, or remove the permissions and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_health',
    fragments: ['any health features'],
    sentence:
      'The declaration about health features does not match the app. Correct "Health apps" in the Play Console under "App content", or remove the permissions and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_permissions',
    fragments: ['missing from permission declaration', 'declaration needs to be updated'],
    sentence:
      'A permission of the app needs a declaration. Fill in its form in the Play Console under "App content", or remove the permission; then submit again. If the form is missing, submit as a draft first: it shows once the Play Console has such a file.',
    retry: 'after-action',
  },
  {
    code: 'declaration_data_safety',
    fragments: ['no data safety declaration'],
    sentence:
      'The app has no data safety declaration. Fill in "Data safety" in the Play Console under "App content"; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_privacy_policy',
    fragments: ['privacy policy'],
    sentence:
      'The app needs a privacy policy. Add its address in the Play Console under "App content", or remove the permission that needs it and build again; then submit again.',
    retry: 'after-action',
  },
]);
