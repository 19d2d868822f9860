import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../refusals/refusal.js';
import { quoteOf } from '../../refusals/refused.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { linkOf, progressOf, reached } from './apple-progress.js';
import { refuse } from './processing.step.js';
import { betaRejected } from '../testflight-builds/step-refusals.js';

/** Sends the build to Apple's beta review, because external groups get it. */
@Injectable()
export class ReviewStep {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const client = await this.accounts.clientOf(context);
    const state = await this.stateOf(context, client);
    if (state === 'REJECTED') return refuse(context, betaRejected(linkOf(submission)));
    await context.save({ external: { ...progressOf(submission), reviewState: state } });
    return { kind: 'next', step: 'groups' };
  }

  /** The state of the review, which begins when there is none. */
  private async stateOf(context: StepContext, client: AppStoreConnectClient): Promise<string> {
    const buildId = reached(context.submission, 'buildId');
    const before = await client.betaReviewState(buildId);
    if (before !== null) {
      await context.log(`Apple's beta review of this build: ${before.slice(0, 60)}.`);
      return before;
    }
    try {
      await client.submitForBetaReview(buildId);
    } catch (error) {
      if (!(error instanceof StoreRefusal) || error.refusal.does !== 'done') throw error;
      await context.log(...quoteOf('App Store Connect', error));
      const present = await client.betaReviewState(buildId);
      if (present === null) throw error;
      return present;
    }
    await context.log(
      "Sent the build to Apple's beta review. External testers get it when Apple approves it, often within a day.",
    );
    return 'WAITING_FOR_REVIEW';
  }
}
