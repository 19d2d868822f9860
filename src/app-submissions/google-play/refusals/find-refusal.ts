import type { IncomingHttpHeaders } from 'node:http';
import { JsonValue } from '../../../common/json-value.js';
import { maskPrivate } from '../../calls/mask-private.js';
import { refusalOfRow, type RefusalRow } from '../../calls/refusals/refusal-row.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { withRetryAfter } from '../../calls/refusals/retry-delay.js';
import { pageText, parseJson } from '../../calls/response-text.js';
import { ACCESS_REFUSALS, GENERAL_REFUSALS } from './access-refusals.js';
import { ARTIFACT_REFUSALS, POLICY_REFUSALS } from './artifact-refusals.js';
import { EDIT_REFUSALS, RELEASE_REFUSALS } from './edit-refusals.js';

/** In the order of the search: what is specific comes first. */
export const REFUSALS: readonly RefusalRow[] = [
  ...EDIT_REFUSALS,
  ...ARTIFACT_REFUSALS,
  ...RELEASE_REFUSALS,
  ...POLICY_REFUSALS,
  ...ACCESS_REFUSALS,
  ...GENERAL_REFUSALS,
];

/** The calls of the Publisher API, as sentences name them. */
const CALLS = {
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
} as const;

/** Which call of the Publisher API was refused. */
export type PlayCall = keyof typeof CALLS;

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
      afterSeconds: 5,
    };
  }
  if (status === 408) {
    return {
      code: 'store_failed',
      sentence: `Google Play did not get ${CALLS[call]} completely in time. Slipway tries again; after too many attempts, submit again later.`,
      retry: 'again',
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

/** What the sentences say about submissions, and what that is for the change of a release. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bsubmit(?: it)? again\b/g, 'try again'],
  [/\bSubmit(?: it)? again\b/g, 'Try again'],
  [/\bmake the release in the Play Console/g, 'make the change in the Play Console'],
  [/\bMake the release in the Play Console/g, 'Make the change in the Play Console'],
  [
    /\bSlipway tries again; after too many attempts, try again later\./g,
    'Slipway tries again; after too many attempts, try later.',
  ],
];

/** Sentences that say something else about a change. */
const SENTENCES: Readonly<Record<string, string>> = {
  changes_in_review:
    'Changes of this app are in review, and Google Play takes no other changes meanwhile. Wait until the review ends, or end it in the Play Console; then set the share again.',
  first_release_staged:
    'The first release of a track cannot be a staged rollout. Set the share to 100 percent.',
  app_is_draft:
    'The app has never been published, so it has no users. Finish the first release in the Play Console, then set the share again.',
  version_code_unknown:
    'Google Play does not have the version code of the release any more. Look for the release in the Play Console; a retry does not help.',
  version_code_too_low:
    'Users have a release with a higher version code, so no user would get this one. Change the rollout of that release instead; a retry does not help.',
  release_notes_too_long:
    'The release notes of the track are longer than 500 characters. Shorten them in the Play Console, then set the share again.',
  language_not_listed:
    'The release notes of the track have a language that the store listing does not have. Add it to the listing in the Play Console, then set the share again.',
  fully_released:
    'All users get the release already, so its share cannot be changed. To take it back, submit a build of the earlier version with a higher version code.',
};

/** The refusal of a change of a release, whose sentence does not ask for another submission. */
export function toChangeRefusal({ refusal, status, storeMessage, release }: StoreRefusal): StoreRefusal {
  const own = Object.hasOwn(SENTENCES, refusal.code) ? SENTENCES[refusal.code] : undefined;
  const sentence = own ?? WORDS.reduce((text, [from, to]) => text.replace(from, to), refusal.sentence);
  return new StoreRefusal({ ...refusal, sentence }, status, storeMessage, release);
}
