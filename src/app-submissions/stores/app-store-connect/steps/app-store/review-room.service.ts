import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../../../common/database-clock.js';
import { StoreRefusal } from '../../../refusals/refusal.js';
import { quoteOf } from '../../../refusals/refused.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import { versionPage } from '../../app-store/app-store-pages.js';
import type { AppVersion, ReviewSubmission } from '../../app-store/app-store-resources.js';
import { reviewNotEnded } from '../../app-store/review-refusals.js';
import { isNotFound } from '../apple-builds.service.js';
import { progressOf, reached } from '../apple-progress.js';

/** How long it is waited until a version can be changed. */
const MAX_MINUTES = 30;
/** Seconds between two looks: more, the longer it takes. */
const FIRST_POLL = 3;
const LAST_POLL = 20;
/** Review submissions that one submission cancels. */
const MAX_CANCELS = 3;

/** Frees a version from the review submission that it is in. */
@Injectable()
export class ReviewRoom {
  /**
   * Takes a version out of the review, so that the next one can go there. This has ended when the version can be
   * changed.
   */
  async make(context: StepContext, client: AppStoreConnectClient, version: AppVersion): Promise<StepResult> {
    const review = await this.reviewOf(context, client, version.id);
    if (review !== null && isCancelable(review)) {
      await this.cancel(
        context,
        client,
        review,
        `The version ${version.versionString} is in the review of the App Store. Taking it out, as appleRejectIfPossible of the destination says.`,
      );
    }
    return this.wait(context);
  }

  /**
   * Frees a version that can be changed: from a submission that was not sent, as that freezes its build, or from one that was
   * rejected.
   *
   * @returns `null`: it is free
   */
  async free(
    context: StepContext,
    client: AppStoreConnectClient,
    version: AppVersion,
  ): Promise<StepResult | null> {
    const review = await this.reviewOf(context, client, version.id);
    if (review === null) return null;
    if (review.state === 'READY_FOR_REVIEW') {
      await removeVersion(client, review.id, version.id);
      await context.log('Took the version out of a submission for review that was not sent, to change it.');
    } else if (isCancelable(review)) {
      const line = 'The version is still part of a submission for review that has ended. Canceling that one.';
      await this.cancel(context, client, review, line);
    }
    return this.wait(context);
  }

  /** The open review submission that a version is in; `null`: none. */
  async reviewOf(
    { submission }: StepContext,
    client: AppStoreConnectClient,
    versionId: string,
  ): Promise<ReviewSubmission | null> {
    const platform = submission.applePlatform ?? 'ios';
    const open = await client.reviews.open(reached(submission, 'appleAppId'), platform);
    const named = open.find((review) => review.versionId === versionId);
    if (named !== undefined) return named;
    for (const review of open.filter((one) => one.versionId === null)) {
      const items = await client.reviews.items(review.id);
      if (items.some((item) => item.versionId === versionId)) return review;
    }
    return null;
  }

  /** Looks again soon. @throws StoreRefusal when it has waited for too long */
  async wait({ submission, save }: StepContext): Promise<StepResult> {
    const progress = progressOf(submission);
    const now = databaseNow();
    const since = progress.roomSince ?? now.toISOString();
    const waited = (now.getTime() - Date.parse(since)) / 1000;
    if (waited > MAX_MINUTES * 60) {
      const link = versionPage(reached(submission, 'appleAppId'), submission.applePlatform);
      throw reviewNotEnded(MAX_MINUTES, link);
    }
    if (progress.roomSince === undefined) await save({ external: { ...progress, roomSince: since } });
    return { kind: 'on', afterSeconds: Math.round(Math.min(LAST_POLL, FIRST_POLL + waited / 10)) };
  }

  /** Once for each: after a lost answer, the next look shows its state. */
  private async cancel(
    context: StepContext,
    client: AppStoreConnectClient,
    review: ReviewSubmission,
    line: string,
  ): Promise<void> {
    const { submission } = context;
    const { canceledReviews = [] } = progressOf(submission);
    const isRepeated = canceledReviews.includes(review.id);
    if (!isRepeated) {
      if (canceledReviews.length >= MAX_CANCELS) return;
      await context.log(line);
      await context.save({
        external: { ...progressOf(submission), canceledReviews: [...canceledReviews, review.id] },
      });
    }
    try {
      await client.reviews.cancel(review.id);
    } catch (error) {
      // It may have been canceled, or have ended: the next look shows it.
      if (!(error instanceof StoreRefusal) || error.refusal.code !== 'review_not_cancelable') throw error;
      await context.log(...quoteOf('App Store Connect', error));
    }
  }
}

/** Takes a version out of a review submission that was not sent. */
export async function removeVersion(
  client: AppStoreConnectClient,
  reviewId: string,
  versionId: string,
): Promise<void> {
  const items = await client.reviews.items(reviewId);
  for (const item of items.filter((one) => one.versionId === versionId)) {
    try {
      await client.reviews.removeItem(item.id);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function isCancelable({ state }: ReviewSubmission): boolean {
  return state === 'WAITING_FOR_REVIEW' || state === 'IN_REVIEW' || state === 'UNRESOLVED_ISSUES';
}
