import type { SubmissionRun } from '../../flow/submission-run.js';
import { isDefinite, type StoreRefusal } from '../../calls/refusals/refusal.js';
import { refusalOfError } from '../../calls/refusals/retry-delay.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import { deliveryUnanswered } from './rules/step-refusals.js';
import type { TestFlightRun } from '../apple-state.js';
import type { Connect } from '../connect.js';

/** How often it is asked whether the end of an upload has arrived. */
const MAX_CONFIRMATIONS = 6;
const AWAITING = 'AWAITING_UPLOAD';
/** Seconds until it is asked whether a call whose response was lost has arrived. */
const CONFIRM_AFTER = 5;

/** Ends the upload: Apple makes a build of it. The answer can be lost, so the next run reads before it sends again. */
export async function deliver(run: TestFlightRun, { accounts }: Connect): Promise<void> {
  const { submission } = run;
  const client = await accounts.clientOf(run);
  // A process that was stopped may have sent it.
  if (submission.commitSentAt === null) {
    const until = submission.submitsForReview ? 'until the build is in TestFlight' : 'from here on';
    await run.log(`All bytes are sent. Ending the upload; the submission cannot be canceled ${until}.`);
    await run.announceCommit();
    await send(run, client);
  } else if (!(await hasArrived(run, client))) {
    await run.log('It has not. Ending it again.');
    await send(run, client);
  }
  await run.save({ state: 'preparing', sealedUpload: null });
  await run.log('App Store Connect has the file. Apple processes it, which takes minutes, at times hours.');
}

async function hasArrived(run: TestFlightRun, client: AppStoreConnectClient): Promise<boolean> {
  const confirmations = (run.state.confirmations ?? 0) + 1;
  await run.log('Asking App Store Connect whether the upload has ended.');
  await run.keep({ confirmations });
  const upload = await client.buildUpload(run.reached('buildUploadId'));
  if (upload.state !== AWAITING) return true;
  const file = await client.buildUploadFile(run.reached('fileId'));
  if (file.state !== null && file.state !== AWAITING) return true;
  if (confirmations > MAX_CONFIRMATIONS) throw deliveryUnanswered();
  return false;
}

async function send(run: TestFlightRun, client: AppStoreConnectClient): Promise<void> {
  try {
    await client.markUploaded(run.reached('fileId'));
  } catch (error) {
    const confirmations = run.state.confirmations ?? 0;
    await afterFailedCall(run, error, confirmations, 'Whether the upload has ended is not known.');
  }
}

/**
 * Goes on after the failure of a call that cannot be taken back, and that was announced: the step again, which asks.
 *
 * @param confirmations how often it was asked before whether the call has arrived
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
  // After a lost answer, a refusal says nothing about the earlier call.
  const isUnsent = isDefinite(refusal) && confirmations === 0;
  if (isUnsent) await run.takeBackCommit();
  if (isUnsent || mayBeSentLater(refusal)) throw error;
  await run.explain(refusal);
  await run.log(unknown);
  return run.tryAgain({ afterSeconds: Math.max(CONFIRM_AFTER, refusal.refusal.afterSeconds ?? 0) });
}

/** Whether it was refused for what is not the call itself: the key, or too many calls. */
function mayBeSentLater({ refusal, status }: StoreRefusal): boolean {
  return refusal.does === 'wait-for-quota' || [401, 403, 429].includes(status);
}
