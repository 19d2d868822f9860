import { JsonValue } from '../../../common/json-value.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { withRetryAfter } from '../../calls/refusals/retry-delay.js';
import { maskPrivate } from '../../calls/mask-private.js';
import type { StoreResponse } from '../../calls/store-session.js';

/** What the server that takes the parts of a file refuses. Its answers are those of an object storage. */
export function partRefusal({ status, headers, text }: StoreResponse): StoreRefusal {
  const code = elementOf(text, 'Code');
  const said = [code, elementOf(text, 'Message')].filter((part) => part !== null).join(': ');
  const refusal = status === 408 || status === 429 || status >= 500 ? busy(status) : ofPart(status, code);
  return new StoreRefusal(withRetryAfter(refusal, headers), status, said === '' ? null : maskPrivate(said));
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

/** The addresses of an upload are valid for a time. */
export const UPLOAD_EXPIRED: Refusal = {
  code: 'upload_lost',
  sentence:
    'The addresses that Apple named for the upload are not valid any more. Slipway begins the upload again; after too many attempts, submit again.',
  retry: 'again',
  does: 'new-upload',
};
