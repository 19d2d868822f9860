import { isDefinite } from '../../refusals/is-definite.js';
import type { StoreRefusal } from '../../refusals/refusal.js';
import { quoteOf } from '../../refusals/refused.js';
import { refusalOfError } from '../../refusals/retry-delay.js';
import type { StepContext, StepResult } from '../../store.js';

/** Seconds until it is asked whether a call whose response was lost has arrived. */
const CONFIRM_AFTER = 5;

/**
 * How a step continues whose call has failed that cannot be taken back, and that `commitSentAt` has announced.
 *
 * @param confirmations how often it was asked before whether the call has arrived
 * @param unknown a sentence for the log: what is not known now
 * @returns the step again, which asks
 * @throws unknown the error: the call was refused, so nothing has happened, or it can be sent later
 */
export async function afterFailedCall(
  context: StepContext,
  error: unknown,
  { confirmations, unknown }: { readonly confirmations: number; readonly unknown: string },
): Promise<StepResult> {
  const refusal = refusalOfError(error);
  if (refusal === null) throw error;
  // After a lost answer, a refusal says nothing about the earlier call.
  const isUnsent = isDefinite(refusal) && confirmations === 0;
  if (isUnsent) await context.save({ commitSentAt: null });
  if (isUnsent || mayBeSentLater(refusal)) throw error;
  await context.log(refusal.message, ...quoteOf('App Store Connect', refusal), unknown);
  return { kind: 'again', afterSeconds: Math.max(CONFIRM_AFTER, refusal.refusal.afterSeconds ?? 0) };
}

/** Whether it was refused for what is not the call itself: the key, or too many calls. */
function mayBeSentLater({ refusal, status }: StoreRefusal): boolean {
  return refusal.does === 'wait-for-quota' || [401, 403, 429].includes(status);
}
