import type { Refusal } from '../../calls/refusals/refusal.js';
import { APPLE_CALLS, type AppleCall } from '../api/apple-call.js';

/** What only the status says. */
export function generalRefusal(call: AppleCall, status: number): Refusal {
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

/** The answer is not what the API documents: no JSON, another shape, a page of a proxy, a redirect. */
export const UNUSABLE: Refusal = {
  code: 'store_answer_unusable',
  sentence:
    'App Store Connect answered with something that its API does not document. Slipway tries again. If that goes on, ask the operator of this server to check its connection to App Store Connect, then submit again.',
  retry: 'again',
  afterSeconds: 5,
};

/** Apple refuses the file with a code that no row has. */
export function unknownBuildRefusal(code: string): Refusal {
  const named = code === '' ? '' : ` (${code.slice(0, 40)})`;
  return {
    code: 'build_refused',
    sentence: `Apple refuses the build after the upload, for a reason that Slipway does not know${named}. Read what it says in the log, correct that, raise CFBundleVersion, build again and submit that build.`,
    retry: 'never',
  };
}
