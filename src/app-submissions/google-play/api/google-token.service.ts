import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { Config } from '../../../config/config.js';
import { maskPrivate } from '../../calls/mask-private.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { retryAfterOf } from '../../calls/refusals/retry-delay.js';
import { parseJson } from '../../calls/response-text.js';
import type { StoreSession } from '../../calls/store-session.js';
import type { GoogleServiceAccountKey } from '../../store-keys/google-service-account-key.js';
import { findRefusal, type RefusedResponse, unusableRefusal } from '../refusals/find-refusal.js';
import { CLOUD_KEYS } from '../refusals/play-pages.js';

/** What Google expects as the audience, wherever the call goes: a configured address is a way to this one. */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPE = 'https://www.googleapis.com/auth/androidpublisher';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024;
/** Characters that a header can hold. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** Signs in to Google with the key of a service account. */
@Injectable()
export class GoogleTokens {
  private readonly url: string;

  constructor(config: Config) {
    this.url = config.stores.googleTokenUrl;
  }

  /**
   * Exchanges a signed assertion for an access token, which is valid for an hour at most.
   *
   * @throws StoreRefusal when Google does not accept the key
   * @throws StoreUnreachableError
   */
  async issue(session: StoreSession, key: GoogleServiceAccountKey): Promise<string> {
    const response = await session.call({
      method: 'POST',
      url: this.url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion: await sign(key) }).toString(),
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    if (response.status !== 200) throw tokenRefusalOf(response);
    const token = parseJson(response.text)?.get('access_token').string ?? '';
    if (!TOKEN.test(token)) throw new StoreRefusal(unusableRefusal(), response.status, null);
    return token;
  }
}

async function sign({ clientEmail, keyId, privateKeyPem }: GoogleServiceAccountKey): Promise<string> {
  try {
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== null && { kid: keyId }) })
      .setIssuer(clientEmail)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(keyOf(privateKeyPem));
  } catch {
    throw new StoreRefusal(UNUSABLE_KEY, 0, null);
  }
}

function keyOf(pem: string): KeyObject {
  return createPrivateKey({ key: pem, format: 'pem' });
}

const UNUSABLE_KEY: Refusal = {
  code: 'store_key_unusable',
  sentence:
    'The private key of the service account cannot be used. Create a new key in the Google Cloud console and upload it; a retry with this one does not help.',
  retry: 'never',
};

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
};

const UNKNOWN: Refusal = {
  code: 'store_sign_in_refused',
  sentence: `Google refuses the sign-in of the service account. Read what it says, and check the key. ${WITHOUT_KEY}`,
  retry: 'after-action',
  link: CLOUD_KEYS,
};
