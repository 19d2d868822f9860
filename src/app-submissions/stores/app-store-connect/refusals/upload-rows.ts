import { CONNECT_APPS } from './apple-pages.js';
import type { AppleRefusalRow } from './apple-refusal-row.js';

/** A new upload, and its file. */
export const UPLOAD_ROWS: readonly AppleRefusalRow[] = [
  {
    code: 'build_number_used',
    calls: ['create-upload'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE'],
    sentence:
      'App Store Connect has a build with this version and build number already. Raise CFBundleVersion, build again and submit that build; a retry does not help.',
    retry: 'never',
    link: CONNECT_APPS,
  },
  {
    code: 'upload_deleted',
    calls: ['delete-upload'],
    status: 404,
    sentence: 'App Store Connect has deleted the upload already; you have nothing to do.',
    retry: 'never',
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
