import { type AppError, NotFoundError } from '../../common/errors/app-error.js';
import type { Decision, DecisionReason } from '../channel-decision/decision.js';
import { NoUpdateError } from './no-update-error.js';
import { isOffer, type Offer } from './update.dto.js';

/** The outcome of an update check. The fast path and the route turn it into the same response. */
export type UpdateCheckOutcome =
  | { readonly result: 'update'; readonly offer: Offer }
  | { readonly result: 'none' | 'unknown_app'; readonly error: AppError };

/** Errors are made once: thousands of devices get the same one each second. */
const unknownApp: UpdateCheckOutcome = { result: 'unknown_app', error: new NotFoundError('App') };
const noUpdates = new Map<DecisionReason, UpdateCheckOutcome>();

/** @param decision `null`: there is no such app */
export function outcomeOf(decision: Decision | null): UpdateCheckOutcome {
  if (decision === null) return unknownApp;
  return isOffer(decision) ? { result: 'update', offer: decision } : noUpdateOutcome(decision.reason);
}

function noUpdateOutcome(reason: DecisionReason): UpdateCheckOutcome {
  let outcome = noUpdates.get(reason);
  if (outcome === undefined) {
    noUpdates.set(reason, (outcome = { result: 'none', error: new NoUpdateError(reason) }));
  }
  return outcome;
}
