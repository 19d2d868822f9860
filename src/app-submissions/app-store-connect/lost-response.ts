import { isDefinite } from '../calls/refusals/refusal.js';
import { StoreRefusal } from '../calls/refusals/refusal.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import type { SubmissionRun } from '../flow/submission-run.js';

/** How often a step looks for what a call has made whose answer was lost. */
const MAX_LOOKS = 5;
/** Seconds until a step looks again. */
const LOOK_AFTER = 5;

/** Whether App Store Connect does not find something. */
export function isNotFound(error: unknown): error is StoreRefusal {
  return error instanceof StoreRefusal && error.status === 404;
}

/** Whether a call was refused because what it wants is so already, maybe by an earlier call whose answer was lost. */
export function isDone(error: unknown): error is StoreRefusal {
  return error instanceof StoreRefusal && error.refusal.does === 'done';
}

/**
 * Goes on after the failure of a call. If an earlier run has sent it, and its answer was lost, a conflict can mean that it has
 * happened, which Apple shows a moment later: the step looks again, a few times.
 *
 * @param isRepeated an earlier run may have sent the call
 * @param line for the log; absent: the words of Apple
 * @throws unknown the error: it says nothing of an earlier call, or the step has looked often enough
 */
export async function lookAgain(
  run: SubmissionRun,
  error: unknown,
  { isRepeated, line }: { readonly isRepeated: boolean; readonly line?: string },
): Promise<never> {
  const isConflict = error instanceof StoreRefusal && error.status === 409;
  if (!isRepeated || !isConflict || run.attempts >= MAX_LOOKS) throw error;
  await (line === undefined ? run.quote(error) : run.log(line));
  return run.tryAgain({ afterSeconds: LOOK_AFTER });
}

/**
 * Takes back the announcement of a call that has failed. Where Apple has said no, nothing has happened: the job can be canceled
 * again, until it is asked again.
 *
 * @param isRepeated an earlier run may have sent the call: then a refusal says nothing about that one, so nothing is taken back
 * @param announced what was stored with the announcement
 * @returns whether it was taken back
 */
export async function takeBackIfRefused<State extends object>(
  run: SubmissionRun<State>,
  error: unknown,
  {
    isRepeated,
    announced = [],
  }: { readonly isRepeated: boolean; readonly announced?: readonly (keyof State & string)[] },
): Promise<boolean> {
  const refusal = refusalOfError(error);
  if (isRepeated || refusal === null || !isDefinite(refusal)) return false;
  await run.forget(announced, { commitSentAt: null });
  return true;
}

/**
 * Goes on after the failure of a call that was announced: the step again, which asks whether it has happened.
 *
 * @param confirmations how often it was asked before
 * @param unknown a sentence for the log: what is not known now
 * @throws unknown the error: the call was refused, so nothing has happened, or it can be sent later
 */
export async function afterFailedCall(
  run: SubmissionRun,
  error: unknown,
  confirmations: number,
  unknown: string,
): Promise<never> {
  const refusal = refusalOfError(error);
  if (refusal === null) throw error;
  const isTakenBack = await takeBackIfRefused(run, error, { isRepeated: confirmations > 0 });
  if (isTakenBack || mayBeSentLater(refusal)) throw error;
  await run.explain(refusal);
  await run.log(unknown);
  return run.tryAgain({ afterSeconds: Math.max(LOOK_AFTER, refusal.refusal.afterSeconds ?? 0) });
}

/** Whether it was refused for what is not the call itself: the key, or too many calls. */
function mayBeSentLater({ refusal, status }: StoreRefusal): boolean {
  return refusal.does === 'wait-for-quota' || [401, 403, 429].includes(status);
}
