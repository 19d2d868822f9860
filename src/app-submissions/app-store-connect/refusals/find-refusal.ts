import type { IncomingHttpHeaders } from 'node:http';
import { JsonValue } from '../../../common/json-value.js';
import { maskPrivate } from '../../calls/mask-private.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { refusalOfRow } from '../../calls/refusals/refusal-row.js';
import { withRetryAfter } from '../../calls/refusals/retry-delay.js';
import type { StoreResponse } from '../../calls/store-session.js';
import { CONNECT_KEYS } from '../apple-pages.js';
import { ACCESS_ROWS, MISSING_ROWS } from './access-rows.js';
import {
  type AppleError,
  type AppleMessage,
  readAppleErrors,
  readMessages,
  UNUSABLE,
} from './apple-error.js';
import { APPLE_CALLS, type AppleCall, type AppleRefusalRow } from './apple-refusal-row.js';
import { REVIEW_ROWS, REVIEW_STATE_ROWS, ROLLOUT_ROWS, VERSION_ROWS } from './app-store-rows.js';
import { BUILD_ROWS, UPLOAD_ROWS } from './build-rows.js';
import { findReviewNeeds, REVIEW_NEED_CALLS } from './review-needs.js';
import { BETA_REVIEW_ROWS, TEST_FLIGHT_ROWS } from './test-flight-rows.js';

/** Seconds by which two clocks may differ. */
const MAX_DIFFERENCE = 60;
const CLOCK_AND_KEY =
  "App Store Connect does not accept the sign-in. Check this server's clock and the key: whether it is revoked, and whether appleApiKeyId and appleIssuerId of the destination belong to it; then submit again.";

/** Without a time from Apple, in seconds. */
const QUOTA_SECONDS = 60;

/** In the order of the search: what is specific comes first. */
export const APPLE_ROWS: readonly AppleRefusalRow[] = [
  ...UPLOAD_ROWS,
  ...BUILD_ROWS,
  ...TEST_FLIGHT_ROWS,
  ...BETA_REVIEW_ROWS,
  ...VERSION_ROWS,
  ...ROLLOUT_ROWS,
  ...REVIEW_ROWS,
  ...REVIEW_STATE_ROWS,
  ...ACCESS_ROWS,
  ...MISSING_ROWS,
];

/** The addresses of an upload are valid for a time. */
export const UPLOAD_EXPIRED: Refusal = {
  code: 'upload_lost',
  sentence:
    'The addresses that Apple named for the upload are not valid any more. Slipway begins the upload again; after too many attempts, submit again.',
  retry: 'again',
  does: 'new-upload',
};

/** Finds out what a refusal of App Store Connect means. @param now for the difference of clocks */
export function findRefusal(
  call: AppleCall,
  { status, headers, text }: StoreResponse,
  now = new Date(),
): StoreRefusal {
  const { errors, message } = readAppleErrors(text);
  if (status === 401) return new StoreRefusal(signInRefusal(headers, now), status, message);
  // Servers that fail or have too much to do may quote anything.
  const needs = status < 500 && REVIEW_NEED_CALLS.includes(call) ? findReviewNeeds(errors) : null;
  const found = needs ?? (status >= 500 ? null : search(APPLE_ROWS, errors, { call, status }));
  const refusal = withRetryAfter(found ?? generalRefusal(call, status), headers);
  const waits = refusal.does === 'wait-for-quota' && refusal.afterSeconds === undefined;
  return new StoreRefusal(waits ? { ...refusal, afterSeconds: QUOTA_SECONDS } : refusal, status, message);
}

/** What the errors of a failed upload, or of its file, mean. */
export function uploadRefusal(messages: readonly AppleMessage[]): StoreRefusal {
  const { errors, message } = readMessages(messages);
  const found = search(BUILD_ROWS, errors, {});
  return new StoreRefusal(found ?? unknownBuildRefusal(errors[0]?.code ?? ''), 0, message);
}

/** What the server that takes the parts of a file refuses. Its answers are those of an object storage. */
export function partRefusal({ status, headers, text }: StoreResponse): StoreRefusal {
  const code = elementOf(text, 'Code');
  const said = [code, elementOf(text, 'Message')].filter((part) => part !== null).join(': ');
  const refusal = status === 408 || status === 429 || status >= 500 ? busy(status) : ofPart(status, code);
  return new StoreRefusal(withRetryAfter(refusal, headers), status, said === '' ? null : maskPrivate(said));
}

function search(
  rows: readonly AppleRefusalRow[],
  errors: readonly AppleError[],
  { call, status }: { readonly call?: AppleCall; readonly status?: number },
): Refusal | null {
  for (const row of rows) {
    if (row.status !== undefined && row.status !== status) continue;
    if (row.calls !== undefined && (call === undefined || !row.calls.includes(call))) continue;
    const matching = errors.filter((error) => matches(row, error));
    const others = errors.filter((error) => !error.isUmbrella && !matching.includes(error));
    // What has already happened is no success while something else is wrong.
    if (row.does === 'done' && others.length > 0) continue;
    // A status alone is enough where a row has nothing else.
    if (matching.length > 0 || isByStatus(row)) return toRefusal(row, matching, others);
  }
  return null;
}

function isByStatus({ status, codes, fragments, pointer }: AppleRefusalRow): boolean {
  return status !== undefined && codes === undefined && fragments === undefined && pointer === undefined;
}

/** One error has everything that the row asks for. */
function matches({ codes, fragments, pointer }: AppleRefusalRow, error: AppleError): boolean {
  if (codes?.some((code) => error.code === code || error.code.startsWith(`${code}.`)) === false) return false;
  if (pointer !== undefined && !error.pointer.split('/').includes(pointer)) return false;
  const searched = `${error.code}\n${error.words}`.toLowerCase();
  return fragments?.some((fragment) => searched.includes(fragment.toLowerCase())) ?? true;
}

function toRefusal(
  row: AppleRefusalRow,
  matching: readonly AppleError[],
  others: readonly AppleError[],
): Refusal {
  const refusal = refusalOfRow(row, matching.map(({ words }) => words).join('\n'));
  return matching.length === 0 ? refusal : { ...refusal, sentence: refusal.sentence + moreOf(others) };
}

/** How many other problems Apple names. */
function moreOf(others: readonly AppleError[]): string {
  const count = new Set(others.map(({ code, words, pointer }) => [code, words, pointer].join('\n'))).size;
  if (count === 0) return '';
  return ` Apple names ${count === 1 ? 'one more problem' : `${count} more problems`}: see the log.`;
}

/** Why a token is refused: the clock of this server, when Apple's is known and differs; else clock or key. */
function signInRefusal(headers: IncomingHttpHeaders, now: Date): Refusal {
  const appleTime = Date.parse(headers.date ?? '');
  const seconds = Math.round((now.getTime() - appleTime) / 1000);
  return {
    code: Math.abs(seconds) > MAX_DIFFERENCE ? 'store_clock_wrong' : 'store_key_refused',
    sentence: Math.abs(seconds) > MAX_DIFFERENCE ? aboutClock(seconds) : CLOCK_AND_KEY,
    retry: 'again',
    does: 'new-token',
    link: CONNECT_KEYS,
  };
}

function aboutClock(seconds: number): string {
  const side = seconds > 0 ? 'ahead of' : 'behind';
  return `App Store Connect does not accept the sign-in. This server's clock is ${durationOf(Math.abs(seconds))} ${side} Apple's: ask its operator to set it. Check the key as well; then submit again.`;
}

function durationOf(seconds: number): string {
  const units: [string, number][] = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const [name, size] = units.find(([, one]) => seconds >= 2 * one) ?? ['second', 1];
  return `${Math.round(seconds / size).toLocaleString('en')} ${name}s`;
}

/** What only the status says. */
function generalRefusal(call: AppleCall, status: number): Refusal {
  if (status >= 500 || status === 408) {
    return {
      code: 'store_failed',
      sentence: `App Store Connect failed at ${APPLE_CALLS[call]} (status ${status}). Slipway looks whether it has happened, and tries again. If that goes on, look at Apple's system status, then submit again.`,
      retry: 'again',
      afterSeconds: 5,
      link: 'https://developer.apple.com/system-status/',
    };
  }
  if (status < 400) return UNUSABLE;
  return {
    code: 'store_refused',
    sentence: `App Store Connect refuses ${APPLE_CALLS[call]} (status ${status}), for a reason that Slipway does not know. Read what it says in the log; once you have settled that, submit again. A retry with the same input does not help.`,
    retry: 'never',
  };
}

/** Apple refuses the file with a code that no row has. */
function unknownBuildRefusal(code: string): Refusal {
  const named = code === '' ? '' : ` (${code.slice(0, 40)})`;
  return {
    code: 'build_refused',
    sentence: `Apple refuses the build after the upload, for a reason that Slipway does not know${named}. Read what it says in the log, correct that, raise CFBundleVersion, build again and submit that build.`,
    retry: 'never',
  };
}

function ofPart(status: number, code: string | null): Refusal {
  const isUsedUp = [401, 403, 404, 410].includes(status) || /expired/i.test(code ?? '');
  return isUsedUp ? UPLOAD_EXPIRED : refusedPart(status);
}

/** Other elements repeat the signed address. */
function elementOf(text: string, name: string): string | null {
  const [, content] = new RegExp(`<${name}>([^<]{1,300})</${name}>`).exec(text.slice(0, 10_000)) ?? [];
  return new JsonValue(content).text;
}

function busy(status: number): Refusal {
  return {
    code: 'store_failed',
    sentence: `Apple's server for uploads does not take a part of the file (status ${status}). Slipway tries again; after too many attempts, submit again later.`,
    retry: 'again',
    afterSeconds: 5,
  };
}

function refusedPart(status: number): Refusal {
  return {
    code: 'upload_part_refused',
    sentence: `Apple's server for uploads refuses a part of the file (status ${status}). Slipway begins the upload again; after too many attempts, submit again later.`,
    retry: 'again',
    does: 'new-upload',
    afterSeconds: 5,
  };
}
