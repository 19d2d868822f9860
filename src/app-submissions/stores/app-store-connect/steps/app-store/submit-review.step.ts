import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../../common/database-clock.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import { versionPage } from '../../app-store/app-store-pages.js';
import type { ReviewSubmission } from '../../app-store/app-store-resources.js';
import { reviewUnanswered } from '../../app-store/review-refusals.js';
import { afterFailedCall } from '../announced-call.js';
import { AppleAccounts } from '../apple-accounts.service.js';
import { progressOf, reached } from '../apple-progress.js';
import { ReviewDraft } from './review-draft.service.js';
import { reviewBegun } from './review-begun.js';

/** How often it is asked whether the review has begun. */
const MAX_CONFIRMATIONS = 8;

/** Sends the version to the review of the App Store. The answer can be lost, so the next run reads before it sends again. */
@Injectable()
export class SubmitReviewStep {
  constructor(
    private readonly accounts: AppleAccounts,
    private readonly draft: ReviewDraft,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const client = await this.accounts.clientOf(context);
    // A process that was stopped may have sent it.
    if (context.submission.commitSentAt !== null) return this.confirm(context, client);
    const { reviewSubmissionId } = progressOf(context.submission);
    const known = reviewSubmissionId === undefined ? null : await client.reviews.get(reviewSubmissionId);
    // A person, or another submission of this build, has sent it.
    if (known !== null && known.state !== 'READY_FOR_REVIEW')
      return (await this.draft.leave(context, client, known)) ?? reviewBegun(context, client, known);
    const again = await this.draft.fill(context, client);
    if (again !== null) return again;
    await context.log(
      'Sending the version to the review of the App Store; the submission cannot be canceled from here on.',
    );
    await context.save({ commitSentAt: databaseNow() });
    return this.send(context, client);
  }

  private async confirm(context: StepContext, client: AppStoreConnectClient): Promise<StepResult> {
    const { submission } = context;
    const reviewConfirmations = confirmationsOf(context) + 1;
    await context.log('Asking App Store Connect whether the review has begun.');
    await context.save({ external: { ...progressOf(submission), reviewConfirmations } });
    const review = await client.reviews.get(reached(submission, 'reviewSubmissionId'));
    if (review.state !== 'READY_FOR_REVIEW') return reviewBegun(context, client, review);
    if (reviewConfirmations > MAX_CONFIRMATIONS) {
      throw reviewUnanswered(versionPage(reached(submission, 'appleAppId'), submission.applePlatform));
    }
    await context.log('It has not. Sending the version again.');
    return this.send(context, client);
  }

  private async send(context: StepContext, client: AppStoreConnectClient): Promise<StepResult> {
    let review: ReviewSubmission;
    try {
      review = await client.reviews.submit(reached(context.submission, 'reviewSubmissionId'));
    } catch (error) {
      const confirmations = confirmationsOf(context);
      return afterFailedCall(context, error, {
        confirmations,
        unknown: 'Whether the review has begun is not known.',
      });
    }
    return reviewBegun(context, client, review);
  }
}

function confirmationsOf({ submission }: StepContext): number {
  return progressOf(submission).reviewConfirmations ?? 0;
}
