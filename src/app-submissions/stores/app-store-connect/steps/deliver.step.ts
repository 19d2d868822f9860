import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../common/database-clock.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import { afterFailedCall } from './announced-call.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { progressOf, reached } from './apple-progress.js';
import { deliveryUnanswered } from '../testflight-builds/step-refusals.js';

/** How often it is asked whether the end of an upload has arrived. */
const MAX_CONFIRMATIONS = 6;
const AWAITING = 'AWAITING_UPLOAD';

/** Ends the upload: Apple makes a build of it. The answer can be lost, so the next run reads before it sends again. */
@Injectable()
export class DeliverStep {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const client = await this.accounts.clientOf(context);
    // A process that was stopped may have sent it.
    if (context.submission.commitSentAt !== null) return this.confirm(context, client);
    const until = context.submission.submitsForReview ? 'until the build is in TestFlight' : 'from here on';
    await context.log(`All bytes are sent. Ending the upload; the submission cannot be canceled ${until}.`);
    await context.save({ commitSentAt: databaseNow() });
    return this.send(context, client);
  }

  private async confirm(context: StepContext, client: AppStoreConnectClient): Promise<StepResult> {
    const { submission } = context;
    const confirmations = confirmationsOf(context) + 1;
    await context.log('Asking App Store Connect whether the upload has ended.');
    await context.save({ external: { ...progressOf(submission), confirmations } });
    const upload = await client.buildUpload(reached(submission, 'buildUploadId'));
    if (upload.state !== AWAITING) return delivered(context);
    const file = await client.buildUploadFile(reached(submission, 'fileId'));
    if (file.state !== null && file.state !== AWAITING) return delivered(context);
    if (confirmations > MAX_CONFIRMATIONS) throw deliveryUnanswered();
    await context.log('It has not. Ending it again.');
    return this.send(context, client);
  }

  private async send(context: StepContext, client: AppStoreConnectClient): Promise<StepResult> {
    try {
      await client.markUploaded(reached(context.submission, 'fileId'));
    } catch (error) {
      const confirmations = confirmationsOf(context);
      return afterFailedCall(context, error, {
        confirmations,
        unknown: 'Whether the upload has ended is not known.',
      });
    }
    return delivered(context);
  }
}

function confirmationsOf({ submission }: StepContext): number {
  return progressOf(submission).confirmations ?? 0;
}

async function delivered(context: StepContext): Promise<StepResult> {
  await context.save({ state: 'preparing', sealedUpload: null });
  await context.log(
    'App Store Connect has the file. Apple processes it, which takes minutes, at times hours.',
  );
  return { kind: 'next', step: 'processing' };
}
