import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../../refusals/refusal.js';
import { quoteOf } from '../../../refusals/refused.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import { versionPage } from '../../app-store/app-store-pages.js';
import type { ReviewSubmission } from '../../app-store/app-store-resources.js';
import { reviewOccupied } from '../../app-store/review-refusals.js';
import { buildOf } from '../apple-builds.service.js';
import { type AppleProgress, progressOf, reached } from '../apple-progress.js';

/** How often a version that is part of another review submission is freed again. */
const MAX_RESTARTS = 3;
const RESTART_AFTER = 5;

/** Makes the review submission of a version, with nothing else in it, which is not sent yet. */
@Injectable()
export class ReviewDraft {
  /** @returns `null`: it has the version; otherwise how to continue */
  async fill(context: StepContext, client: AppStoreConnectClient): Promise<StepResult | null> {
    const { submission } = context;
    const { reviewSubmissionId: known } = progressOf(submission);
    const versionId = reached(submission, 'versionId');
    const id = known ?? (await this.find(context, client)).id;
    if (known === undefined)
      await context.save({ external: { ...progressOf(submission), reviewSubmissionId: id } });
    const items = await client.reviews.items(id);
    if (items.some((item) => item.versionId !== versionId)) throw reviewOccupied(pageOf(context));
    return items.length > 0 ? null : this.add(context, client, id);
  }

  /** Looks for another one when this one was sent without the version. @returns `null`: it has the version */
  async leave(
    context: StepContext,
    client: AppStoreConnectClient,
    review: ReviewSubmission,
  ): Promise<StepResult | null> {
    const versionId = reached(context.submission, 'versionId');
    if (review.versionId === versionId) return null;
    const items = await client.reviews.items(review.id);
    if (items.some((item) => item.versionId === versionId)) return null;
    const { reviewSubmissionId: _, ...progress } = progressOf(context.submission);
    return this.restart(context, progress, reviewOccupied(pageOf(context)));
  }

  /** One that was not sent is used again, because Apple deletes none; after a lost answer, it is the one that was made. */
  private async find({ submission }: StepContext, client: AppStoreConnectClient): Promise<ReviewSubmission> {
    const { platform } = buildOf(submission);
    const appleAppId = reached(submission, 'appleAppId');
    const open = await client.reviews.open(appleAppId, platform);
    const unsent = open.find(({ state }) => state === 'READY_FOR_REVIEW');
    return unsent ?? client.reviews.create(appleAppId, platform);
  }

  private async add(
    context: StepContext,
    client: AppStoreConnectClient,
    id: string,
  ): Promise<StepResult | null> {
    const { submission } = context;
    try {
      await client.reviews.addVersion(id, reached(submission, 'versionId'));
    } catch (error) {
      if (!(error instanceof StoreRefusal)) throw error;
      if (error.refusal.does === 'done') return null;
      if (error.refusal.code !== 'item_in_other_review') throw error;
      await context.log(error.message, ...quoteOf('App Store Connect', error));
      return this.restart(context, progressOf(submission), error);
    }
    return null;
  }

  /** Begins again with the version, a few times. @throws StoreRefusal `reason`: it was tried often enough */
  private async restart(
    { save }: StepContext,
    progress: AppleProgress,
    reason: StoreRefusal,
  ): Promise<StepResult> {
    const { reviewRestarts = 0 } = progress;
    if (reviewRestarts >= MAX_RESTARTS) throw reason;
    await save({ external: { ...progress, reviewRestarts: reviewRestarts + 1 } });
    return { kind: 'again', step: 'version', afterSeconds: RESTART_AFTER };
  }
}

function pageOf({ submission }: StepContext): string {
  return versionPage(reached(submission, 'appleAppId'), submission.applePlatform);
}
