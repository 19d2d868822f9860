import { type AppError, NotFoundError } from '../../common/errors/app-error.js';
import type { Decision, DecisionReason } from '../channel-decision/decision.js';
import type { DeviceReport } from '../check-ins/device-report.js';
import { NoUpdateError } from './no-update-error.js';
import { offerFormFor } from './offer-form.js';
import type { Offer } from './update.dto.js';

/** The outcome of an update check. The fast path and the route turn it into the same response. */
export type UpdateCheckOutcome =
  | { readonly result: 'update'; readonly offer: Offer }
  | { readonly result: 'none' | 'unknown_app'; readonly error: AppError };

/** Errors are made once: thousands of devices get the same one each second. */
const unknownApp: UpdateCheckOutcome = { result: 'unknown_app', error: new NotFoundError('App') };
const noUpdates = new Map<DecisionReason, UpdateCheckOutcome>();

/** @param decision `null`: there is no such app */
export function outcomeOf(decision: Decision | null, report: DeviceReport): UpdateCheckOutcome {
  if (decision === null) return unknownApp;
  const { channel, deployment, reason } = decision;
  if (channel === null || deployment === null) return noUpdateOutcome(reason);
  return { result: 'update', offer: { channel, deployment, form: offerFormFor(deployment.bundle, report) } };
}

function noUpdateOutcome(reason: DecisionReason): UpdateCheckOutcome {
  let outcome = noUpdates.get(reason);
  if (outcome === undefined) {
    noUpdates.set(reason, (outcome = { result: 'none', error: new NoUpdateError(reason) }));
  }
  return outcome;
}
