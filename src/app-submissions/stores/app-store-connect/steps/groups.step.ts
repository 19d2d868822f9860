import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../refusals/refusal.js';
import { quoteOf } from '../../refusals/refused.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import type { BetaGroup } from '../apple-resources.js';
import { doneMessage } from '../testflight-builds/testflight-texts.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { isNotFound } from './apple-builds.service.js';
import { linkOf, progressOf, reached } from './apple-progress.js';
import { lookAtBuild } from './changes/look-at-build.js';
import { groupMissing } from '../testflight-builds/step-refusals.js';

/** Gives the build to the TestFlight groups of the destination. */
@Injectable()
export class GroupsStep {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const { groups = [], reviewState } = progressOf(submission);
    const client = await this.accounts.clientOf(context);
    // Internal testers do not wait for Apple's beta review of the build.
    await this.giveAll(
      context,
      client,
      groups.filter(({ isInternal }) => isInternal),
    );
    if (reviewState === undefined && groups.some(({ isInternal }) => !isInternal))
      return { kind: 'next', step: 'review' };
    await this.giveAll(context, client, groups);
    const message = doneMessage(groups, reviewState);
    await context.log(message);
    if (submission.submitsForReview) return { kind: 'next', step: 'version' };
    const release = await lookAtBuild(client, submission, null);
    return { kind: 'done', state: 'prepared', message, link: linkOf(submission), release };
  }

  /** Gives it to those that do not have it yet. */
  private async giveAll(
    context: StepContext,
    client: AppStoreConnectClient,
    groups: readonly BetaGroup[],
  ): Promise<void> {
    for (const group of groups) {
      const { doneGroups = [] } = progressOf(context.submission);
      if (doneGroups.includes(group.id)) continue;
      await context.log(await this.give(context, client, group));
      await context.save({
        external: { ...progressOf(context.submission), doneGroups: [...doneGroups, group.id] },
      });
    }
  }

  /** @returns a line of the log */
  private async give(context: StepContext, client: AppStoreConnectClient, group: BetaGroup): Promise<string> {
    const { submission } = context;
    const hasAll = `The group ${group.name} gets every build by itself.`;
    if (group.hasAccessToAllBuilds) return hasAll;
    try {
      // Once more after a lost answer is the same.
      await client.addToGroup(group.id, reached(submission, 'buildId'));
    } catch (error) {
      if (isNotFound(error)) await requireGroup(client, reached(submission, 'appleAppId'), group);
      if (!(error instanceof StoreRefusal) || error.refusal.does !== 'done') throw error;
      await context.log(...quoteOf('App Store Connect', error));
      return hasAll;
    }
    return `The group ${group.name} has the build.`;
  }
}

/** What is not found may be a fresh build, or a group that was deleted. @throws StoreRefusal when it is the group */
async function requireGroup(
  client: AppStoreConnectClient,
  appleAppId: string,
  { id, name }: BetaGroup,
): Promise<void> {
  const known = await client.betaGroups(appleAppId);
  if (known.some((one) => one.id === id)) return;
  throw groupMissing(
    name,
    known.map((one) => one.name),
  );
}
