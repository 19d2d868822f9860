import type { IncomingHttpHeaders } from 'node:http';
import { StoreUnreachableError } from '../store-session.js';
import { type Refusal, StoreRefusal } from './refusal.js';

/** Attempts at a step that a store refuses for a while. */
const ATTEMPTS = 10;
const TOKEN_ATTEMPTS = 3;
/** Attempts while a store unpacks a file: seconds at first, then each minute. */
const PROCESSING_ATTEMPTS = 40;
const FAST_PROCESSING_ATTEMPTS = 10;
/** Longest wait that is not asked for by the store, in seconds. */
const MAX_SECONDS = 600;

/**
 * When to do a step again that a store has refused.
 *
 * @param attempts how many have failed, with this one
 * @returns seconds from now; `null`: it is refused permanently, or was tried often enough
 */
export function retryDelay({ retry, does, afterSeconds }: Refusal, attempts: number): number | null {
  if (retry !== 'again') return null;
  if (does === 'new-token') return attempts < TOKEN_ATTEMPTS ? attempts : null;
  if (does === 'wait-for-processing') {
    if (attempts >= PROCESSING_ATTEMPTS) return null;
    return attempts > FAST_PROCESSING_ATTEMPTS ? 60 : Math.min(15, Math.max(afterSeconds ?? 2, 2 * attempts));
  }
  if (attempts >= ATTEMPTS) return null;
  const growing = Math.min(MAX_SECONDS, Math.max(afterSeconds ?? 2, 2) * 2 ** (attempts - 1));
  return Math.max(growing, afterSeconds ?? 0);
}

/** The refusal that an error of a call means; `null`: the error is about this server. */
export function refusalOfError(error: unknown): StoreRefusal | null {
  if (error instanceof StoreRefusal) return error;
  if (!(error instanceof StoreUnreachableError)) return null;
  if (error.kind === 'url' || error.kind === 'address') return notAllowed(error);
  return new StoreRefusal(
    {
      code: 'store_unreachable',
      sentence: `The store cannot be reached: ${shortened(error.message)} Slipway tries again. If that goes on, ask the operator of this server to check its connection to the store, then submit again.`,
      retry: 'again',
      afterSeconds: 5,
    },
    0,
    null,
  );
}

/** The guard of outbound calls has refused it, which does not change without an operator. */
function notAllowed({ message }: StoreUnreachableError): StoreRefusal {
  return new StoreRefusal(
    {
      code: 'store_address_refused',
      sentence: `This server does not call the address of the store: ${shortened(message)} Ask its operator to check the configuration of the stores, then submit again.`,
      retry: 'after-action',
    },
    0,
    null,
  );
}

function shortened(reason: string): string {
  const sentence = reason.replace(/\.?$/, '.');
  return sentence.length <= 120 ? sentence : `${sentence.slice(0, 119).toWellFormed()}….`;
}

/** A store cannot hold a submission for longer than this at a time, in seconds. */
const MAX_RETRY_AFTER = 3600;

/** The seconds that `Retry-After` asks for, from 1 to an hour; `null`: it is absent or invalid. */
export function retryAfterOf(headers: IncomingHttpHeaders, now = Date.now()): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 1), MAX_RETRY_AFTER);
}

/** A refusal that waits no shorter than the store asks for. */
export function withRetryAfter(refusal: Refusal, headers: IncomingHttpHeaders): Refusal {
  const asked = retryAfterOf(headers);
  if (refusal.retry !== 'again' || asked === null) return refusal;
  return { ...refusal, afterSeconds: Math.max(asked, refusal.afterSeconds ?? 0) };
}
