import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { Config } from '../../../config/config.js';
import type { GoogleServiceAccountKey } from '../../store-keys/google-service-account-key.js';
import type { StoreSession } from '../../calls/store-session.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { parseJson } from '../../calls/parse-json.js';
import { unusableRefusal } from '../refusals/find-refusal.js';
import { tokenRefusalOf } from '../refusals/token-refusals.js';

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
