import { APPLE_ACCOUNT, CONNECT_APPS, XCODE_RELEASES } from '../apple-pages.js';
import type { AppleRefusalRow } from './apple-refusal-row.js';

/** A new upload, and its file. */
export const UPLOAD_ROWS: readonly AppleRefusalRow[] = [
  {
    code: 'build_number_used',
    calls: ['create-upload'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE'],
    sentence:
      'App Store Connect has a build with this version and build number already. Raise CFBundleVersion, build again and submit that build; a retry does not help.',
    link: CONNECT_APPS,
  },
  {
    code: 'upload_deleted',
    calls: ['delete-upload'],
    status: 404,
    sentence: 'App Store Connect has deleted the upload already; you have nothing to do.',
    does: 'done',
  },
  {
    code: 'upload_lost',
    calls: ['create-file'],
    status: 404,
    sentence:
      'App Store Connect does not know the upload any more. Slipway begins it again; after too many attempts, submit again.',
    retry: 'again',
    does: 'new-upload',
  },
];

const NAMED_KEYS = /\bNS\w{1,60}UsageDescription\b/g;

/** What Apple finds in the file after the upload. Its number is used by then, also by a build that failed. */
export const BUILD_ROWS: readonly AppleRefusalRow[] = [
  {
    code: 'build_number_used',
    codes: ['90189'],
    sentence:
      'App Store Connect has a build with this version and build number already. Raise CFBundleVersion, build again and submit that build; a retry does not help.',
    link: CONNECT_APPS,
  },
  {
    code: 'version_closed',
    codes: ['90062', '90186', '90478'],
    sentence:
      'Apple takes no more builds of this version: it, or a higher one, is approved. Raise CFBundleShortVersionString above the version in the App Store, build again and submit that build.',
    link: CONNECT_APPS,
  },
  {
    code: 'bundle_id_differs',
    codes: ['90054', '90055'],
    sentence:
      'The ipa has another bundle id than the app in App Store Connect, where it cannot change. Correct appleAppId of the destination, or build with the right bundle id; a retry does not help.',
  },
  {
    code: 'sdk_too_old',
    codes: ['90725'],
    sentence:
      'The app was built with an SDK that Apple no longer takes. Build with a newer Xcode, and submit that build; a retry does not help.',
    link: XCODE_RELEASES,
  },
  {
    code: 'purpose_string_missing',
    codes: ['90683'],
    sentence: (said) => {
      const keys = [...new Set(said.match(NAMED_KEYS))].slice(0, 2).join(' and ');
      const what = keys === '' ? 'the key that Apple names' : keys;
      return `Info.plist does not say why the app wants access to data. Add ${what.slice(0, 100)} with a text for users, build again and submit that build; a retry does not help.`;
    },
  },
  {
    code: 'signature_invalid',
    codes: ['90034', '90035'],
    sentence:
      'Apple does not accept the signature of the app. Sign it, and each framework in it, with a distribution certificate of the team, and submit that build; a retry does not help.',
    link: APPLE_ACCOUNT,
  },
  {
    code: 'profile_invalid',
    codes: ['90161', '90174'],
    sentence:
      'The provisioning profile in the app is missing, or is not for the App Store. Build with an App Store profile of this app, and submit that build; a retry does not help.',
    link: APPLE_ACCOUNT,
  },
  {
    code: 'version_differs',
    codes: ['90473'],
    sentence:
      'The version or build number in the ipa is not the one of the upload, or its extensions have others. Give all of them the same, build again and submit that build; a retry does not help.',
  },
];
