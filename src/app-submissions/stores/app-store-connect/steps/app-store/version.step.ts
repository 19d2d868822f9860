import { Injectable } from '@nestjs/common';
import { StoreTurns, reviewKey } from '../../../../store-turns/store-turns.service.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import { versionPage } from '../../app-store/app-store-pages.js';
import type { AppVersion } from '../../app-store/app-store-resources.js';
import { chooseVersion, isFirstVersion } from '../../app-store/choose-version.js';
import { severalVersions, versionApproved, versionInReview } from '../../app-store/review-refusals.js';
import { trainClosed } from '../../testflight-builds/step-refusals.js';
import { AppleAccounts } from '../apple-accounts.service.js';
import { buildOf } from '../apple-builds.service.js';
import { progressOf, reached } from '../apple-progress.js';
import { ReviewRoom } from './review-room.service.js';
import { VersionEditor } from './version-editor.service.js';

/** How often those that wait look whether it is their turn, if they are not woken. Apple is not asked for that. */
const POLL_SECONDS = 30;
const RULE = 'the App Store takes one version of an app to the review at a time.';

/** Finds or makes the version of the build in the App Store, when its turn has come. */
@Injectable()
export class VersionStep {
  constructor(
    private readonly accounts: AppleAccounts,
    private readonly turns: StoreTurns,
    private readonly room: ReviewRoom,
    private readonly editor: VersionEditor,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const { platform, version: wanted } = buildOf(submission);
    const appleAppId = reached(submission, 'appleAppId');
    const obstacle = await this.take(context, reviewKey(appleAppId, platform));
    if (obstacle !== null) return obstacle;
    const client = await this.accounts.clientOf(context);
    const versions = await client.appStore.versions(appleAppId, platform);
    const link = versionPage(appleAppId, platform);
    const choice = chooseVersion(versions, { version: wanted, buildId: reached(submission, 'buildId') });
    await this.begin(context, isFirstVersion(versions));
    switch (choice.kind) {
      case 'submitted':
        return this.adopt(context, client, choice.version);
      case 'approved':
        throw versionApproved(choice.version, link);
      case 'closed':
        throw trainClosed(wanted, choice.closing);
      case 'several':
        throw severalVersions(choice.versions, link);
      case 'in-review':
        if (!submission.rejectsIfPossible) throw versionInReview(choice.version, link);
        return this.room.make(context, client, choice.version);
      case 'use': {
        const wait = await this.room.free(context, client, choice.version);
        return wait ?? this.editor.use(context, client, choice.version);
      }
      case 'create':
        return this.editor.create(context, client);
    }
  }

  /** Takes the turn; the one of the upload was given back when Apple had the file. @returns `null`: it has it */
  private async take({ submission, save }: StepContext, key: string): Promise<StepResult | null> {
    let obstacle: string | null = null;
    await save({}, async () => {
      obstacle = await this.turns.take(key, submission, RULE);
    });
    return obstacle === null
      ? null
      : { kind: 'wait', waitsFor: key, message: obstacle, afterSeconds: POLL_SECONDS };
  }

  /** What was sent until now is in TestFlight. Until the review begins, the submission can be canceled again. */
  private async begin({ submission, save }: StepContext, isFirst: boolean): Promise<void> {
    const progress = progressOf(submission);
    if (progress.isFirstVersion === isFirst && submission.commitSentAt === null) return;
    await save({ commitSentAt: null, external: { ...progress, isFirstVersion: isFirst } });
  }

  /** Goes on with a review that has begun, such as that of another destination, or after a lost answer. */
  private async adopt(
    context: StepContext,
    client: AppStoreConnectClient,
    version: AppVersion,
  ): Promise<StepResult> {
    await context.log('This very build is in the review of the App Store already, so nothing is sent again.');
    const review = await this.room.reviewOf(context, client, version.id);
    if (review === null) return this.room.wait(context);
    await context.save({
      external: { ...progressOf(context.submission), versionId: version.id, reviewSubmissionId: review.id },
    });
    return { kind: 'next', step: 'submit-review' };
  }
}
