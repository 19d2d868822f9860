import type { Html } from './html.js';
import { notice } from './layout.js';
import type { Page } from './page.js';

/** Why a form is shown again: a sentence, or the seconds until the next attempt is allowed. */
export type Failure = { readonly message: string } | { readonly retryAfterSeconds: number };

/** What went wrong, as a notice. */
export function failureNotice(failure: Failure | undefined): Html | null {
  if (failure === undefined) return null;
  return notice('bad', 'message' in failure ? failure.message : waitSentence(failure.retryAfterSeconds));
}

/** The status of a page that reports a failure: 422, or 429 with the time to wait. */
export function statusOf(failure: Failure | undefined): Pick<Page, 'status' | 'headers'> {
  if (failure === undefined) return {};
  if ('message' in failure) return { status: 422 };
  return { status: 429, headers: { 'Retry-After': String(failure.retryAfterSeconds) } };
}

function waitSentence(seconds: number): string {
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return `Too many attempts. Try again in ${wait}.`;
}
