import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../refusals/refusal.js';
import { quoteOf, refused } from '../../refusals/refused.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { linkOf, progressOf, reached } from './apple-progress.js';
import { refuse } from './processing.step.js';
import {
  complianceLost,
  documentsInReview,
  documentsMissing,
  otherCompliance,
} from '../testflight-builds/step-refusals.js';

/** How often the answer is looked for: Apple takes a moment. */
const MAX_LOOKS = 6;
const LOOK_AFTER = 10;

/** Answers whether the build uses encryption that is not exempt. Apple takes one answer, which Info.plist may have given. */
@Injectable()
export class ComplianceStep {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const { usesNonExemptEncryption: wanted } = submission;
    if (wanted === null) throw complianceMissing();
    const client = await this.accounts.clientOf(context);
    const { usesNonExemptEncryption: found } = await client.build(reached(submission, 'buildId'));
    if (found === null) return this.answer(context, client, wanted);
    if (found !== wanted) return refuse(context, otherCompliance(found));
    return this.state(context, client, wanted);
  }

  private async answer(
    context: StepContext,
    client: AppStoreConnectClient,
    wanted: boolean,
  ): Promise<StepResult> {
    if (isLookedForTooOften(context)) throw complianceLost(linkOf(context.submission));
    await look(context);
    await context.log(
      `Answering Apple that the build uses ${wanted ? 'encryption' : 'no encryption'} that is not exempt.`,
    );
    try {
      await client.answerCompliance(reached(context.submission, 'buildId'), wanted);
    } catch (error) {
      // It has been answered in the meantime: the next look shows how.
      if (!(error instanceof StoreRefusal) || error.refusal.does !== 'done') throw error;
      await context.log(...quoteOf('App Store Connect', error));
    }
    return { kind: 'on', afterSeconds: 1 };
  }

  /** What Apple makes of the answer. */
  private async state(
    context: StepContext,
    client: AppStoreConnectClient,
    wanted: boolean,
  ): Promise<StepResult> {
    const { submission } = context;
    const { internalState } = await client.buildBetaDetail(reached(submission, 'buildId'));
    if (internalState === 'IN_EXPORT_COMPLIANCE_REVIEW') throw documentsInReview(linkOf(submission));
    if (internalState !== 'MISSING_EXPORT_COMPLIANCE') return { kind: 'next', step: 'notes' };
    if (isLookedForTooOften(context))
      throw wanted ? documentsMissing(linkOf(submission)) : complianceLost(linkOf(submission));
    await look(context);
    return { kind: 'on', afterSeconds: LOOK_AFTER };
  }
}

function isLookedForTooOften({ submission }: StepContext): boolean {
  return (progressOf(submission).complianceLooks ?? 0) >= MAX_LOOKS;
}

async function look({ submission, save }: StepContext): Promise<void> {
  const progress = progressOf(submission);
  await save({ external: { ...progress, complianceLooks: (progress.complianceLooks ?? 0) + 1 } });
}

function complianceMissing(): Error {
  return refused(
    'compliance_missing',
    'Nothing says whether the build uses encryption that is not exempt. Set ITSAppUsesNonExemptEncryption in Info.plist, or appleUsesNonExemptEncryption of the destination; then submit again.',
    { retry: 'after-action' },
  );
}
