import {
  APP_STORE_CONNECT,
  APPLE_ACCOUNT,
  CONNECT_AGREEMENTS,
  CONNECT_APPS,
  CONNECT_KEYS,
} from '../apple-pages.js';
import type { AppleRefusalRow } from './apple-refusal-row.js';

/** Who may call the API, for which app, and how often. */
export const ACCESS_ROWS: readonly AppleRefusalRow[] = [
  {
    code: 'store_agreements_missing',
    codes: ['FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED'],
    sentence:
      'The Apple developer account lacks an agreement, or one has expired. The Account Holder has to accept it in App Store Connect under "Business"; then submit again.',
    retry: 'after-action',
    link: CONNECT_AGREEMENTS,
  },
  {
    code: 'store_membership_ended',
    status: 403,
    fragments: ['active membership'],
    sentence:
      'The team is no active member of the Apple Developer Program. The Account Holder has to renew the membership; then submit again.',
    retry: 'after-action',
    link: APPLE_ACCOUNT,
  },
  {
    code: 'store_access_denied',
    status: 403,
    sentence:
      'The API key may not do this: its role is too low, or it is for other apps. Create a key with the role App Manager in App Store Connect and set it at the destination; then submit again.',
    retry: 'after-action',
    link: CONNECT_KEYS,
  },
  {
    code: 'app_not_found',
    calls: ['app', 'create-upload'],
    status: 404,
    sentence:
      'App Store Connect shows this key no such app. Check appleAppId of the destination, and that the key belongs to the team of the app; then submit again.',
    retry: 'after-action',
    link: CONNECT_APPS,
  },
  {
    code: 'store_rate_limit',
    status: 429,
    sentence:
      'App Store Connect limits the number of calls with this key, and other tools take part in that. Slipway waits and goes on by itself; if that takes too long, submit again later.',
    retry: 'again',
    does: 'wait-for-quota',
  },
];

/** What is not there yet, or no more. After all other rows. */
export const MISSING_ROWS: readonly AppleRefusalRow[] = [
  {
    code: 'not_found_yet',
    status: 404,
    sentence:
      'App Store Connect does not find the build, or what belongs to it: fresh ones show late. Slipway tries again; after too many attempts, check in App Store Connect that they still exist, and submit again.',
    retry: 'again',
    link: APP_STORE_CONNECT,
    does: 'wait-for-processing',
  },
];
