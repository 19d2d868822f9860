import type { IncomingHttpHeaders } from 'node:http';
import { OutboundRefusedError } from '../../common/http/outbound/outbound-refused.error.js';
import type { NewSubmissionRequest } from '../submission-requests/submission-requests.service.js';
import { maskPrivate } from './mask-private.js';
import type { StoreCallRequest, StoreResponse } from './store-session.js';

/** Bytes of a body that are kept. */
const MAX_BODY = 16 * 1000;
/** Characters of a body that are searched for secrets; what is kept is shorter. */
const MAX_SEARCHED = 64 * 1024;
const MAX_URL = 2000;
const MAX_HEADER = 500;

/** Without credentials; all others are left out. */
const REQUEST_HEADERS = [
  'accept',
  'content-type',
  'content-length',
  'content-range',
  'x-upload-content-type',
  'x-upload-content-length',
];
const RESPONSE_HEADERS = [
  'content-type',
  'content-length',
  'date',
  'range',
  'retry-after',
  'server',
  'location',
];

/** Bodies that people can read. */
const TEXT = /^\s*(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|x-www-form-urlencoded)\b)/i;

/** What is kept of a call: nothing that gives access, and no e-mail address. */
export function recordOf(
  request: StoreCallRequest,
  outcome: StoreResponse | OutboundRefusedError,
  { milliseconds, hidesQuery }: { milliseconds: number; hidesQuery: boolean },
): NewSubmissionRequest {
  const response = outcome instanceof OutboundRefusedError ? null : outcome;
  const requestHeaders = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    method: request.method,
    url: shownUrl(request.url, hidesQuery).slice(0, MAX_URL),
    requestHeaders: shownHeaders(requestHeaders, REQUEST_HEADERS),
    requestBody:
      typeof request.body === 'string' ? shownBody(request.body, requestHeaders['content-type']) : null,
    status: response?.status ?? null,
    responseHeaders: response === null ? {} : shownHeaders(response.headers, RESPONSE_HEADERS),
    responseBody: response === null ? null : shownBody(response.text, response.headers['content-type']),
    milliseconds,
    error: outcome instanceof OutboundRefusedError ? outcome.reason : null,
  };
}

function shownUrl(url: string | URL, hidesQuery: boolean): string {
  if (!URL.canParse(String(url))) return '';
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.hash = '';
  if (hidesQuery) shown.search = '';
  return maskPrivate(shown.href);
}

function shownHeaders(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const shown = names.flatMap((name) => {
    const value = headers[name];
    if (value === undefined) return [];
    // An address that an answer names is that of an upload.
    const text = name === 'location' ? shownUrl(String(value), true) : maskPrivate(String(value));
    return [[name, storable(text).slice(0, MAX_HEADER)]];
  });
  return Object.fromEntries(shown) as Record<string, string>;
}

/** @returns `null` for what is empty, or no text */
function shownBody(text: string, contentType: string | undefined): string | null {
  if (text === '' || !TEXT.test(contentType ?? '')) return null;
  const masked = storable(maskPrivate(text.slice(0, MAX_SEARCHED)));
  const bytes = Buffer.from(masked);
  if (bytes.length <= MAX_BODY) return masked;
  // A character that is cut in two becomes a replacement character of three bytes.
  return bytes
    .subarray(0, MAX_BODY - 3)
    .toString()
    .replace(/\uFFFD$/, '');
}

/** PostgreSQL stores no NUL characters and no halves of surrogate pairs. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
