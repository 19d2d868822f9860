import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { JsonValue } from '../../../common/json-value.js';
import { parseJson } from '../../calls/response-text.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { StoreCallRequest, StoreResponse, StoreSession } from '../../calls/store-session.js';
import type { CallBudget } from '../rate-limits/call-budget.service.js';
import { unusable } from '../refusals/apple-error.js';
import type { AppleCall } from '../refusals/apple-refusal-row.js';
import { findRefusal } from '../refusals/find-refusal.js';
import { isAppleId } from './apple-resources.js';

/** Apple takes tokens of twenty minutes at most. */
const TOKEN_SECONDS = 19 * 60;
/** Seconds before its end at which a token is replaced. */
const TOKEN_RESERVE_SECONDS = 5 * 60;
/** Pages of a list that are read: 2,000 entries. */
const MAX_PAGES = 10;
const PAGE_SIZE = 200;

/** A key of an API user of App Store Connect. */
export interface AppleApiKey {
  readonly keyId: string;
  /** `null`: an individual key. */
  readonly issuerId: string | null;
  /** EC on the curve P-256, PKCS#8. */
  readonly privateKeyPem: string;
}

/** What the calls with one key need. */
export interface AppStoreConnectAccess {
  /** See `StoreConfig.appStoreConnectUrl`. */
  readonly baseUrl: string;
  readonly key: AppleApiKey;
  readonly budget: CallBudget;
}

export interface AppleRequest extends Pick<StoreCallRequest, 'method'> {
  /** What the call is for, which decides about the sentence of a refusal. */
  readonly call: AppleCall;
  /** Behind the base URL, such as `['v1', 'apps', id]`. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** `data` of the body, sent as JSON. */
  readonly data?: object;
}

/** Sends requests to the App Store Connect API with one key. */
export class AppStoreConnectApi {
  private readonly base: URL;
  private token: { readonly text: string; readonly replaceAt: number } | null = null;

  constructor(
    private readonly session: StoreSession,
    private readonly access: AppStoreConnectAccess,
  ) {
    this.base = new URL(access.baseUrl);
  }

  /** Sends a request and reads `data` of the answer. @throws StoreRefusal @throws StoreUnreachableError */
  async one(request: AppleRequest): Promise<{ data: JsonValue; included: JsonValue[] }> {
    const answer = await this.json(this.urlOf(request), request);
    const data = answer.get('data');
    if (!data.isObject) throw unusable(200, '');
    return { data, included: answer.get('included').items };
  }

  /**
   * Reads a list.
   *
   * @param limit entries at most @default 2,000
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async list(
    request: Omit<AppleRequest, 'method' | 'data'>,
    limit = MAX_PAGES * PAGE_SIZE,
  ): Promise<{ data: JsonValue[]; included: JsonValue[] }> {
    const [data, included]: [JsonValue[], JsonValue[]] = [[], []];
    const query = { ...request.query, limit: String(Math.min(limit, PAGE_SIZE)) };
    let next: URL | null = this.urlOf({ ...request, query });
    for (let page = 0; next !== null && page < MAX_PAGES && data.length < limit; page++) {
      const answer: JsonValue = await this.json(next, { ...request, method: 'GET' });
      const list = answer.get('data');
      if (!list.isList) throw unusable(200, '');
      data.push(...itemsOf(list));
      included.push(...itemsOf(answer.get('included')));
      next = this.nextOf(answer);
    }
    return { data: data.slice(0, limit), included };
  }

  /**
   * Sends a request.
   *
   * @returns a response with a 2xx
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async send(request: AppleRequest): Promise<StoreResponse> {
    const response = await this.call(this.urlOf(request), request);
    const { status, text } = response;
    // Such as a page of a network in between: nothing has happened.
    if (text.trim() !== '' && parseJson(text)?.isObject !== true) throw unusable(status, text);
    return response;
  }

  /** Whether an address of an answer may be called: with https, or with scheme and host of the base URL. The guard checks the rest. */
  mayUploadTo(url: URL): boolean {
    const isOwn = url.protocol === this.base.protocol && url.hostname === this.base.hostname;
    return url.username === '' && url.password === '' && (url.protocol === 'https:' || isOwn);
  }

  private async json(url: URL, request: Pick<AppleRequest, 'call' | 'method' | 'data'>): Promise<JsonValue> {
    const { status, text } = await this.call(url, request);
    const answer = parseJson(text);
    if (answer?.isObject !== true) throw unusable(status, text);
    return answer;
  }

  private async call(
    url: URL,
    { call, method, data }: Pick<AppleRequest, 'call' | 'method' | 'data'>,
  ): Promise<StoreResponse> {
    const { session, access } = this;
    await access.budget.take(access.key, session.organizationId);
    const response = await session.call({
      method,
      url,
      headers: {
        accept: 'application/json',
        ...(data !== undefined && { 'content-type': 'application/json' }),
      },
      ...(data !== undefined && { body: JSON.stringify({ data }) }),
      bearer: await this.currentToken(),
    });
    await access.budget.learn(access.key, session.organizationId, response);
    if (response.status === 401) this.token = null;
    if (response.status < 200 || response.status > 299) throw findRefusal(call, response);
    return response;
  }

  /** A run can take longer than a token. */
  private async currentToken(): Promise<string> {
    const now = Date.now();
    if (this.token === null || now >= this.token.replaceAt) {
      const text = await signAppleToken(this.access.key, new Date(now));
      this.token = { text, replaceAt: now + (TOKEN_SECONDS - TOKEN_RESERVE_SECONDS) * 1000 };
    }
    return this.token.text;
  }

  private urlOf({ path, query = {} }: Pick<AppleRequest, 'path' | 'query'>): URL {
    if (!path.every((part) => isAppleId(part))) throw unusable(0, '');
    const prefix = this.base.pathname.replace(/\/+$/, '');
    const url = new URL(`${this.base.origin}${prefix}/${path.map(encodeURIComponent).join('/')}`);
    url.search = new URLSearchParams(query).toString();
    return url;
  }

  /** The next page, which is only asked for where the first one came from. */
  private nextOf(answer: JsonValue): URL | null {
    const address = answer.get('links', 'next').string;
    if (address === null || !URL.canParse(address, this.base.href)) return null;
    const url = new URL(address, this.base);
    if (url.origin !== this.base.origin || url.username !== '' || url.password !== '')
      throw unusable(200, '');
    return url;
  }
}

/**
 * Signs a token for App Store Connect.
 *
 * @returns one that is valid for 19 minutes
 * @throws StoreRefusal when the key cannot be used
 */
export async function signAppleToken(
  { keyId, issuerId, privateKeyPem }: AppleApiKey,
  now = new Date(),
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const token = new SignJWT(issuerId === null ? { sub: 'user' } : { iss: issuerId })
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setAudience('appstoreconnect-v1')
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + TOKEN_SECONDS);
  try {
    return await token.sign(createPrivateKey({ key: privateKeyPem, format: 'pem' }));
  } catch {
    throw new StoreRefusal(
      {
        code: 'store_key_unusable',
        sentence:
          'The private key of the destination cannot be used: it is no EC key of the curve P-256. Create an API key in App Store Connect, upload its .p8 and set it at the destination; a retry with this one does not help.',
        retry: 'never',
      },
      0,
      null,
    );
  }
}

/** One page of a list. @throws StoreRefusal when it is none, or longer than a page can be */
function itemsOf(list: JsonValue): JsonValue[] {
  const { items } = list;
  if ((!list.isListOrAbsent && !list.isNull) || items.length > PAGE_SIZE) throw unusable(200, '');
  return items;
}
