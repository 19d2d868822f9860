import type { IncomingHttpHeaders } from 'node:http';
import type { PlayCall } from '../api/play-call.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { type RefusalRow, refusalOfRow } from '../../calls/refusals/refusal-row.js';
import { withRetryAfter } from '../../calls/refusals/retry-after.js';
import { JsonValue } from '../../../common/json-value.js';
import { maskPrivate } from '../../calls/mask-private.js';
import { pageText } from '../../calls/page-text.js';
import { parseJson } from '../../calls/parse-json.js';
import { ACCESS_REFUSALS, GENERAL_REFUSALS } from './access-refusals.js';
import { ARTIFACT_REFUSALS } from './artifact-refusals.js';
import { EDIT_REFUSALS } from './edit-refusals.js';
import { POLICY_REFUSALS } from './policy-refusals.js';
import { RELEASE_REFUSALS } from './release-refusals.js';

/** In the order of the search: what is specific comes first. */
export const REFUSALS: readonly RefusalRow[] = [
  ...EDIT_REFUSALS,
  ...ARTIFACT_REFUSALS,
  ...RELEASE_REFUSALS,
  ...POLICY_REFUSALS,
  ...ACCESS_REFUSALS,
  ...GENERAL_REFUSALS,
];

const CALLS: Readonly<Record<PlayCall, string>> = {
  token: 'the sign-in',
  insert: 'a new edit',
  read: 'a question about the app',
  delete: 'the deletion of the edit',
  upload: 'the upload',
  symbols: 'the upload of the symbol file',
  track: 'the release',
  validate: 'the check of the edit',
  commit: 'the commit of the edit',
  releases: 'a question about the releases',
};

/** A response that is no success. */
export interface RefusedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Finds out what a refusal of the Publisher API means. */
export function findRefusal(call: PlayCall, { status, headers, text }: RefusedResponse): StoreRefusal {
  const { message, searched } = readGoogleError(text);
  const row = REFUSALS.find((candidate) => matches(candidate, status, searched));
  const refusal = row === undefined ? unknownRefusal(call, status) : refusalOfRow(row, message ?? '');
  return new StoreRefusal(withRetryAfter(refusal, headers), status, message);
}

function matches({ status: only, fragments, also }: RefusalRow, status: number, searched: string): boolean {
  if (only !== undefined && only !== status) return false;
  // Servers that fail or have too much to do may quote anything.
  if (status >= 500) return false;
  if (also !== undefined && !searched.includes(also.toLowerCase())) return false;
  return fragments?.some((fragment) => searched.includes(fragment.toLowerCase())) ?? true;
}

function unknownRefusal(call: PlayCall, status: number): Refusal {
  if (status >= 500) {
    return {
      code: 'store_failed',
      sentence: `Google Play failed at ${CALLS[call]} (status ${status}). Slipway tries again. If that goes on, make the release in the Play Console, which often shows the cause, such as a missing right for production.`,
      retry: 'again',
      does: 'back-off',
      afterSeconds: 5,
    };
  }
  if (status === 408) {
    return {
      code: 'store_failed',
      sentence: `Google Play did not get ${CALLS[call]} completely in time. Slipway tries again; after too many attempts, submit again later.`,
      retry: 'again',
      does: 'back-off',
      afterSeconds: 5,
    };
  }
  if (status < 400) return unusableRefusal();
  return {
    code: 'store_refused',
    sentence: `Google Play refuses ${CALLS[call]} (status ${status}), for a reason that Slipway does not know. Read what it says; once you have settled that, submit again. A retry with the same input does not help.`,
    retry: 'never',
  };
}

/** The answer is not what the API documents: no JSON, another shape, a page of a proxy, a redirect. */
export function unusableRefusal(): Refusal {
  return {
    code: 'store_answer_unusable',
    sentence:
      'Google Play answered with something that its API does not document. Slipway tries again. If that goes on, ask the operator of this server to check its connection to Google Play, then submit again.',
    retry: 'again',
    does: 'back-off',
    afterSeconds: 5,
  };
}

/** What an answer of Google says, for people and for the search. */
interface GoogleError {
  /** One line without e-mail addresses and secrets; `null`: nothing readable. */
  readonly message: string | null;
  /** Message, status and reasons, in lower case. */
  readonly searched: string;
}

/**
 * Reads `{error: {code, status, message, errors: [{reason}], details: [{reason}]}}`, or anything else.
 *
 * @param text the body of an answer
 */
function readGoogleError(text: string): GoogleError {
  const error = parseJson(text)?.get('error') ?? new JsonValue(undefined);
  const nested = [...error.get('errors').items, ...error.get('details').items].slice(0, 100);
  const parts = [
    error.get('message').text,
    error.get('status').text,
    ...nested.flatMap((item) => [item.get('reason').text, item.get('message').text]),
  ].filter((part) => part !== null);
  const said = parts[0] ?? null;
  const other = said ?? pageText(text);
  return {
    message: other === null ? null : maskPrivate(other),
    searched: (parts.length > 0 ? parts.join('\n') : (other ?? '')).toLowerCase(),
  };
}
