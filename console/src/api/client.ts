import type { paths } from './schema';
import { noteServerTime } from './server-time';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P]
  ? NonNullable<paths[P][M]>
  : never;
type PathsWith<M extends Method> = {
  [P in keyof paths]: Operation<P, M> extends never ? never : P;
}[keyof paths];

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Success<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202 | 204)]> : never;
type PathValues<O> = O extends { parameters: { path: infer V } } ? V : undefined;
type QueryValues<O> = O extends { parameters: { query?: infer V } } ? V : undefined;
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined;

/** What a request may have. What its operation requires, the types require, too. */
type Options<O> = (PathValues<O> extends undefined ? unknown : { path: PathValues<O> }) & {
  query?: QueryValues<O>;
  body?: Body<O>;
  /** The `etag` of what is changed. The server refuses the change (412) if another one came first. */
  ifMatch?: string | undefined;
  /** Of a POST: the same for all repetitions of one click. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
};

/** What the server refused, or could not do. `status` 0: it was not reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
    readonly fields: ReadonlyMap<string, string> = new Map(),
    readonly requestId: string | null = null,
    /** In seconds. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** Whether a request can succeed later: the network was lost (0), or the server is busy. */
export const isPassing = ({ status }: ApiError): boolean => [0, 429, 502, 503, 504].includes(status);

/** What failed, as a screen shows it. */
export const toApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, String(error));

const UNREACHABLE = 'The server cannot be reached. Nothing was changed; what you typed is still here.';
const OTHER_USER =
  'Another account has signed in in this browser. Sign in with yours to send this, or reload the page.';

const metaOf = (page: Document, name: string): string =>
  page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
const userId = metaOf(document, 'user-id');
let csrf = metaOf(document, 'csrf-token');

/** Proves to the API that a page of this server sends the request; empty without a sign-in. */
export const csrfToken = (): string => csrf;

/** Most characters that the sign-in leads back to. */
const MAX_RETURN_PATH = 1000;

/** Leads to the sign-in, and back to this address with its query and fragment. */
export function signIn(): void {
  const { pathname, search, hash } = location;
  const here = pathname + search + hash;
  location.replace(here.length > MAX_RETURN_PATH ? '/login' : `/login?next=${encodeURIComponent(here)}`);
}

/**
 * Sends a request to the API and returns the body of its response.
 *
 * @throws ApiError for every answer but a success, and without any answer
 */
export async function request<M extends Method, P extends PathsWith<M>>(
  method: M,
  path: P,
  options: Options<Operation<P, M>>,
): Promise<Success<Operation<P, M>>> {
  const { body, ifMatch, idempotencyKey, signal } = options;
  const headers = new Headers({ Accept: 'application/json' });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  const init = { method: method.toUpperCase(), headers, signal: signal ?? null };
  const response = await fetchApi(addressOf(path, options), {
    ...init,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Success<Operation<P, M>>;
}

/** A part of a list that is read on from a cursor, and what tells whether it has changed. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Of the next page; `null`: this is the last one. */
  readonly next: string | null;
  /** Length of the whole list; `null`: it was not counted. */
  readonly total: number | null;
  readonly etag: string | null;
}

/**
 * Reads a page of a list.
 *
 * @param known the same page as it was read before: it is returned again while nothing has changed
 * @throws ApiError as `request`
 */
export async function requestPage<P extends PathsWith<'get'>>(
  path: P,
  options: Options<Operation<P, 'get'>>,
  known?: ListPage<Item<Success<Operation<P, 'get'>>>>,
): Promise<ListPage<Item<Success<Operation<P, 'get'>>>>> {
  const headers = new Headers({ Accept: 'application/json' });
  // With this header, browsers leave a 304 to the script.
  if (known !== undefined && known.etag !== null) headers.set('If-None-Match', known.etag);
  const response = await fetchApi(addressOf(path, options), { headers, signal: options.signal ?? null });
  if (known !== undefined && response.status === NOT_MODIFIED) return known;
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  const total = response.headers.get('X-Total-Count');
  return {
    items: (await response.json()) as Item<Success<Operation<P, 'get'>>>[],
    next: next === undefined ? null : new URL(next, location.origin).searchParams.get('cursor'),
    total: total === null ? null : Number(total),
    etag: response.headers.get('ETag'),
  };
}

type Item<List> = List extends readonly (infer Each)[] ? Each : never;

const NOT_MODIFIED = 304;
/** Whether the request has succeeded, also if nothing has changed. */
const hasSucceeded = ({ ok, status }: Response): boolean => ok || status === NOT_MODIFIED;

/** As `fetch`, with the CSRF token of the page. After a sign-in in another tab, it reads the new token and repeats the request. */
export async function fetchApi(address: string, init: RequestInit): Promise<Response> {
  const used = csrf;
  const response = await send(address, init);
  if (hasSucceeded(response)) return response;
  const error = await errorOf(response);
  if (!needsSignIn(error)) throw error;
  // The page of the sign-in, in another tab, has a session, too: then the server refuses the token with 403.
  if (!(await renewProof(used)))
    throw new ApiError(401, error.message, error.code, error.fields, error.requestId);
  const repeated = await send(address, init);
  if (hasSucceeded(repeated)) return repeated;
  throw await errorOf(repeated);
}

async function send(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('X-CSRF-Token', csrf);
  try {
    const response = await fetch(address, { ...init, headers, credentials: 'same-origin' });
    noteServerTime(response);
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, UNREACHABLE);
  }
}

/** Whether a session has ended, or another one has begun in another tab. */
export function needsSignIn({ status, code }: ApiError): boolean {
  return status === 401 || code === 'csrf_check_failed';
}

/**
 * Reads the CSRF token of the present session.
 *
 * @param used token of the request that was refused
 * @returns whether there is another one now, because the same user has signed in again
 * @throws ApiError when another user has signed in
 */
export async function renewProof(used: string): Promise<boolean> {
  if (csrf !== used) return true;
  const page = await presentPage();
  const renewed = metaOf(page, 'csrf-token');
  if (renewed === '' || renewed === used) return false;
  refuseOther(metaOf(page, 'user-id'));
  csrf = renewed;
  return true;
}

/** Whether another user has signed in in this browser: then what requests answer is not about the user of this page. */
export async function isOfOther(): Promise<boolean> {
  const id = metaOf(await presentPage(), 'user-id');
  return id !== '' && id !== userId;
}

/** The page of the console as the server gives it to the present session; without an answer, an empty one. */
async function presentPage(): Promise<Document> {
  const response = await fetch('/', { credentials: 'same-origin', cache: 'no-store' }).catch(() => null);
  return new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
}

/** Keeps a page to the user who opened it. @throws ApiError when the session of the browser is of another one now */
export function refuseOther(id: string): void {
  if (id !== userId) throw new ApiError(403, OTHER_USER);
}

/** What the server says that refused a request. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  const fields = new Map((body?.errors ?? []).map(({ field, message }) => [field, message]));
  const wait = Number(response.headers.get('Retry-After'));
  return new ApiError(
    response.status,
    body?.message ?? `The server answered with the status ${response.status}.`,
    body?.code ?? null,
    fields,
    body?.requestId ?? response.headers.get('X-Request-Id'),
    Number.isFinite(wait) && wait > 0 ? wait : null,
  );
}

interface ErrorBody {
  readonly message?: string;
  readonly code?: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/**
 * Whether a value can stand in a path. Browsers and proxies read some as parts of the path, also if they are encoded, and the
 * server refuses these.
 */
export const fitsInPath = (value: string): boolean =>
  value.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..');

/** Fills in a path and its query. Refuses values that clients and proxies would read as parts of the path. */
function addressOf(path: string, options: object): string {
  const { path: values = {}, query = {} } = options as {
    path?: Record<string, unknown>;
    query?: Record<string, unknown>;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    if (!fitsInPath(value)) throw new Error(`${name} is no value of a path.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) search.append(name, String(each));
    }
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** A random key. `crypto.randomUUID` is missing on plain http. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
