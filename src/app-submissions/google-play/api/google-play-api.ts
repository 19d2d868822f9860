import type { JsonValue } from '../../../common/json-value.js';
import type { StoreCallRequest, StoreResponse, StoreSession } from '../../calls/store-session.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { PlayCall } from './play-call.js';
import { findRefusal, unusableRefusal } from '../refusals/find-refusal.js';
import { parseJson } from '../../calls/parse-json.js';

/**
 * A value of an answer, which may be anything: Google's document of the API names the fields, and reading what is not there
 * gives an empty value.
 */
export interface PlayJson<T> extends Omit<JsonValue, 'get' | 'items'> {
  get<K extends keyof T & string>(name: K): PlayJson<NonNullable<T[K]>>;
  readonly items: T extends readonly (infer Item)[] ? PlayJson<Item>[] : [];
}

/** What the calls for one app need. */
export interface GooglePlayAccess {
  /** See `StoreConfig.googlePlayUrl`. */
  readonly baseUrl: string;
  /** From `GoogleTokens`. */
  readonly token: string;
  readonly packageName: string;
}

/** A request to the Publisher API. */
export interface PlayRequest extends Pick<StoreCallRequest, 'method' | 'timeoutMs'> {
  /** What the call is for, which decides about the sentence of a refusal. */
  readonly call: PlayCall;
  /** Before the path of the app. @default `/androidpublisher` */
  readonly service?: '/upload/androidpublisher' | '/androidpublisher';
  /** Behind the path of the app, such as `['edits', id]`. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

/** Sends requests to the Publisher API for one app. */
export class GooglePlayApi {
  private readonly base: URL;

  constructor(
    private readonly session: StoreSession,
    private readonly access: GooglePlayAccess,
  ) {
    this.base = new URL(access.baseUrl);
  }

  /**
   * Sends a request and reads the JSON of the answer.
   *
   * @returns an answer to read as Google documents it
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async json<T>(request: PlayRequest): Promise<PlayJson<T>> {
    const { status, text } = await this.send(request);
    const answer = parseJson(text);
    if (answer?.isObject !== true) throw unusable(status, text);
    return playJsonOf(answer);
  }

  /**
   * Sends a request.
   *
   * @returns a response with a 2xx
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async send({ call, method, timeoutMs, headers, body, ...where }: PlayRequest): Promise<StoreResponse> {
    const response = await this.session.call({
      method,
      url: this.urlOf(where),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      bearer: this.access.token,
    });
    if (response.status < 200 || response.status > 299) throw findRefusal(call, response);
    return response;
  }

  /**
   * Sends a request to the address of an upload.
   *
   * @returns a response of any status
   * @throws StoreUnreachableError
   */
  sendTo(
    url: string,
    { headers, body, timeoutMs }: Pick<StoreCallRequest, 'headers' | 'body' | 'timeoutMs'>,
  ): Promise<StoreResponse> {
    return this.session.call({
      method: 'PUT',
      url,
      headers: headers ?? {},
      ...(body !== undefined && { body }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      bearer: this.access.token,
      isSecretAddress: true,
    });
  }

  /** Whether an address of an answer may be called: with https, or at the configured base URL. The guard checks the rest. */
  mayCall(url: URL): boolean {
    return (
      url.username === '' &&
      url.password === '' &&
      (url.protocol === 'https:' || url.origin === this.base.origin)
    );
  }

  /** The absolute form of an address of an answer; `null`: it is none. */
  resolve(address: string): URL | null {
    return URL.canParse(address, this.base.href) ? new URL(address, this.base) : null;
  }

  private urlOf({
    service = '/androidpublisher',
    path,
    query = {},
  }: Pick<PlayRequest, 'service' | 'path' | 'query'>): URL {
    const { packageName } = this.access;
    const parts = [packageName, ...path].map(segment).join('/');
    const prefix = this.base.pathname.replace(/\/+$/, '');
    const url = new URL(`${this.base.origin}${prefix}${service}/v3/applications/${parts}`);
    url.search = new URLSearchParams(query).toString();
    return url;
  }
}

/** A segment of a path. A dot segment would lead to another path, even encoded. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw new StoreRefusal(
      {
        code: 'store_name_invalid',
        sentence: `Google Play cannot have the name "${text}". Check the package name and the track of the destination; a retry does not help.`,
        retry: 'never',
      },
      0,
      null,
    );
  }
  // `edits/{id}:validate` is one segment.
  return encodeURIComponent(text).replace(/%3A/g, ':');
}

/** A value to read as Google documents it. */
export function playJsonOf<T>(value: JsonValue): PlayJson<T> {
  return value as unknown as PlayJson<T>;
}

/** A list of an answer. Google leaves empty ones out. @throws StoreRefusal when there is something else */
export function listOf<Item>(list: PlayJson<Item[]>): PlayJson<Item>[] {
  if (!list.isListOrAbsent) throw unusable(200, '');
  return list.items;
}

/** The error of an answer that has another form than the API documents. */
export function unusable(status: number, text: string): StoreRefusal {
  const { storeMessage } = findRefusal('read', { status, headers: {}, text });
  return new StoreRefusal(unusableRefusal(), status, storeMessage);
}
