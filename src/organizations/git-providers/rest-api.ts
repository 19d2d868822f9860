import { hasMoreValues } from '../../common/http/has-more-values.js';
import type { OutboundCalls, OutboundResponse } from '../../common/http/outbound/outbound.js';
import { OutboundRefusedError } from '../../common/http/outbound/outbound-refused.error.js';
import { CredentialsRefusedError, GitServerError, RedirectedError } from '../git-remotes/git-errors.js';
import { JsonValue } from '../../common/json-value.js';

const MAX_BYTES = 8 * 1024 * 1024;
/** Values of one response: a page of 100 repositories has about 20,000. Nothing else is served while they are parsed. */
const MAX_VALUES = 200_000;
/** Milliseconds for one operation, which may take several requests. */
const OPERATION_MS = 20_000;
const MAX_PAGES = 10;

/** What a REST API needs to know about the caller. */
export interface RestOptions {
  readonly base: string;
  /** The header; `null`: without credentials, where 401 means that there is nothing to see. */
  readonly authorization: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of every request. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Sends requests to the REST API of one git server, for one operation. */
export class RestApi {
  private readonly endsAt = performance.now() + OPERATION_MS;

  constructor(
    private readonly outbound: OutboundCalls,
    private readonly options: RestOptions,
  ) {}

  /**
   * @param path below the base, its variable parts encoded
   * @returns `null` when there is no such object, or the credential does not see it
   * @throws CredentialsRefusedError
   * @throws GitServerError
   */
  async get(path: string, query: Readonly<Record<string, string>> = {}): Promise<JsonValue | null> {
    const search = new URLSearchParams({ ...this.options.query, ...query }).toString();
    const url = new URL(`${this.options.base}${path}${search === '' ? '' : `?${search}`}`);
    const { status, headers, text } = await this.request(url);
    const isAnonymous = this.options.authorization === null;
    // Azure DevOps answers 203 with a page for signing in.
    const isRefused = status === 401 || status === 203 || (status === 403 && !isRateLimit(headers));
    if (isRefused && isAnonymous) return null;
    if (isRefused) throw new CredentialsRefusedError(url.hostname);
    if (status === 404) return null;
    if (status === 429 || status === 403) {
      throw new GitServerError(`${url.hostname} limits the number of requests. Try again later.`);
    }
    if (status >= 300 && status < 400) {
      // Azure DevOps sends those who are not signed in to a page.
      if (isAnonymous) return null;
      throw new RedirectedError(url.hostname, 'Check the base URL and the path.');
    }
    if (status !== 200) throw new GitServerError(`${url.hostname} answered with the status ${status}.`);
    if (hasMoreValues(text, MAX_VALUES)) {
      throw new GitServerError(`${url.hostname} answered with more than ${MAX_VALUES} values.`);
    }
    try {
      return new JsonValue(JSON.parse(text));
    } catch {
      throw new GitServerError(`${url.hostname} did not answer with JSON. Check the base URL.`);
    }
  }

  /**
   * Reads a list page by page, until a page is not full.
   *
   * @param size entries of a page
   * @param pageOf the parameters of a page, from 0
   * @param itemsOf the entries of the answer
   */
  async pages(
    path: string,
    size: number,
    pageOf: (page: number) => Readonly<Record<string, string>>,
    itemsOf: (answer: JsonValue) => JsonValue[] = (answer) => answer.items,
  ): Promise<JsonValue[]> {
    const found: JsonValue[] = [];
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await this.get(path, pageOf(page));
      const items = answer === null ? [] : itemsOf(answer);
      found.push(...items);
      if (items.length < size) break;
    }
    return found;
  }

  private async request(url: URL): Promise<Pick<OutboundResponse, 'status' | 'headers'> & { text: string }> {
    try {
      const { authorization, headers } = this.options;
      const response = await this.outbound.request({
        purpose: 'git',
        url,
        headers: { accept: 'application/json', ...(authorization !== null && { authorization }), ...headers },
        maxBytes: MAX_BYTES,
        timeoutMs: Math.max(1, this.endsAt - performance.now()),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      throw error instanceof OutboundRefusedError ? new GitServerError(error.reason) : error;
    }
  }
}

function isRateLimit(headers: OutboundResponse['headers']): boolean {
  return headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined;
}

/** The entries of a page of Bitbucket. */
export function valuesOf(answer: JsonValue): JsonValue[] {
  return answer.get('values').items;
}

/** Encodes the parts of a path, but not the slashes between them. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
