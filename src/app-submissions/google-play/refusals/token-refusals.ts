import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { CLOUD_KEYS } from './play-pages.js';
import { retryAfterOf } from '../../calls/refusals/retry-after.js';
import { type RefusedResponse, findRefusal, unusableRefusal } from './find-refusal.js';
import { maskPrivate } from '../../calls/mask-private.js';
import { parseJson } from '../../calls/parse-json.js';

const WITHOUT_KEY =
  'Create a new key in the Google Cloud console, upload it and set it at the destination; then submit again.';

/** What the token endpoint refuses: `error`, and a part of `error_description`, ignoring case. */
const ROWS: readonly { errors: readonly string[]; fragments?: readonly string[]; refusal: Refusal }[] = [
  {
    errors: ['invalid_grant'],
    fragments: ['reasonable timeframe', 'iat and exp'],
    refusal: {
      code: 'store_clock_wrong',
      sentence:
        'Google refuses the sign-in because the clock of this server is wrong. Ask its operator to set the clock; then submit again.',
      retry: 'after-action',
    },
  },
  {
    errors: ['invalid_grant'],
    fragments: ['account not found', 'account has been deleted', 'account deleted'],
    refusal: {
      code: 'store_account_deleted',
      sentence:
        'The service account does not exist any more. Create one, invite it in the Play Console, upload its key and set it at the destination; then submit again.',
      retry: 'after-action',
      link: CLOUD_KEYS,
    },
  },
  {
    errors: ['invalid_grant', 'invalid_client', 'disabled_client', 'deleted_client'],
    fragments: ['disabled'],
    refusal: {
      code: 'store_account_disabled',
      sentence:
        'The service account or its key is disabled. Enable it in the Google Cloud console, or upload another key; then submit again.',
      retry: 'after-action',
      link: CLOUD_KEYS,
    },
  },
  {
    errors: ['invalid_grant', 'invalid_client', 'deleted_client', 'disabled_client', 'unauthorized_client'],
    refusal: {
      code: 'store_key_refused',
      sentence: `Google does not accept the key of the service account: it is deleted, disabled or not of this account. ${WITHOUT_KEY}`,
      retry: 'after-action',
      link: CLOUD_KEYS,
    },
  },
  {
    errors: ['invalid_scope', 'access_denied', 'admin_policy_enforced', 'org_internal'],
    refusal: {
      code: 'store_scope_refused',
      sentence:
        'Google lets the service account not use the Play API: a policy of its organization forbids it. Ask the administrator of the Google Cloud organization to allow it; then submit again.',
      retry: 'after-action',
      link: CLOUD_KEYS,
    },
  },
];

/** Finds out what a refusal of the token endpoint means: `{error, error_description}`. */
export function tokenRefusalOf(response: RefusedResponse): StoreRefusal {
  const answer = parseJson(response.text);
  const error = answer?.get('error').text ?? null;
  const description = answer?.get('error_description').text ?? null;
  // Errors of the platform around it have the shape of all other APIs.
  if (error === null || response.status >= 500) return findRefusal('token', response);
  const said = (description ?? '').toLowerCase();
  const row = ROWS.find(
    ({ errors, fragments }) =>
      errors.includes(error) && (fragments?.some((fragment) => said.includes(fragment)) ?? true),
  );
  const message = maskPrivate(description === null ? error : `${error}: ${description}`);
  if (row !== undefined) return new StoreRefusal(row.refusal, response.status, message);
  if (response.status === 429 || error === 'temporarily_unavailable') {
    const afterSeconds = retryAfterOf(response.headers) ?? 60;
    return new StoreRefusal({ ...BUSY, afterSeconds }, response.status, message);
  }
  if (response.status < 400) return new StoreRefusal(unusableRefusal(), response.status, message);
  return new StoreRefusal(UNKNOWN, response.status, message);
}

const BUSY: Refusal = {
  code: 'store_rate_limit',
  sentence:
    'Google limits the number of sign-ins. Slipway waits and tries again; after too many attempts, submit again later.',
  retry: 'again',
  does: 'back-off',
};

const UNKNOWN: Refusal = {
  code: 'store_sign_in_refused',
  sentence: `Google refuses the sign-in of the service account. Read what it says, and check the key. ${WITHOUT_KEY}`,
  retry: 'after-action',
  link: CLOUD_KEYS,
};
