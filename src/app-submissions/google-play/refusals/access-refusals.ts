import { CLOUD_API, CLOUD_KEYS, PLAY_CONSOLE, PLAY_USERS } from './play-pages.js';
import type { RefusalRow } from '../../calls/refusals/refusal-row.js';

/** Who may call the API, for which app, and how often. */
export const ACCESS_REFUSALS: readonly RefusalRow[] = [
  {
    code: 'store_access_denied',
    fragments: ['caller does not have permission', 'insufficient permissions'],
    sentence:
      'The service account may not do this for the app. Invite it in the Play Console under "Users and permissions", with the right to release this app. New rights can take up to 48 hours; then submit again.',
    retry: 'after-action',
    link: PLAY_USERS,
  },
  {
    code: 'store_api_disabled',
    fragments: ['API has not been used in project'],
    sentence:
      'The Google Play Android Developer API is not enabled in the Google Cloud project of the service account. Enable it, wait a few minutes and submit again.',
    retry: 'after-action',
    link: CLOUD_API,
  },
  {
    code: 'store_project_unusable',
    fragments: ['CONSUMER_INVALID', 'projectNotLinked'],
    sentence:
      'The Google Cloud project of the service account is deleted, or not linked to the Play Console. Restore it, or upload the key of a service account in another project; then submit again.',
    retry: 'after-action',
    link: CLOUD_KEYS,
  },
  {
    code: 'package_not_found',
    fragments: ['Package not found'],
    sentence:
      'Google Play knows no app with this package name in the account of the service account. Check the package name and the account. Upload the first release of a new app by hand in the Play Console; then submit again.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'store_account_issues',
    fragments: ['issues with your account'],
    sentence:
      'Google Play blocks the developer account. Settle what the Play Console asks for, such as payment or identity; then submit again.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'store_daily_quota',
    fragments: ['dailyLimitExceeded', 'daily limit', 'per day'],
    sentence:
      'The daily quota of the Google Play API is used up. Submit again tomorrow, or ask Google for more in the Cloud project of the service account.',
    retry: 'after-action',
    link: CLOUD_API,
  },
  {
    code: 'store_rate_limit',
    fragments: ['rateLimitExceeded', 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED'],
    sentence:
      'Google Play limits the number of calls, and other work with this service account takes part in that. Slipway waits and tries again; after too many attempts, submit again later.',
    retry: 'again',
    afterSeconds: 60,
  },
];

/** What only the status says. After all other rows. */
export const GENERAL_REFUSALS: readonly RefusalRow[] = [
  {
    code: 'store_token_refused',
    status: 401,
    sentence:
      'Google Play does not accept the access token that Google issued. Slipway signs in again; if that fails too, check that the key of the service account still exists, then submit again.',
    retry: 'again',
    link: CLOUD_KEYS,
    does: 'new-token',
  },
  {
    code: 'store_token_refused',
    status: 403,
    fragments: ['Unauthorized'],
    sentence:
      'Google Play does not accept the access token that Google issued. Slipway signs in again; if that fails too, check the rights of the service account in the Play Console, then submit again.',
    retry: 'again',
    link: PLAY_USERS,
    does: 'new-token',
  },
  {
    code: 'store_rate_limit',
    status: 429,
    sentence:
      'Google Play limits the number of calls, and other work with this service account takes part in that. Slipway waits and tries again; after too many attempts, submit again later.',
    retry: 'again',
    afterSeconds: 60,
  },
];
