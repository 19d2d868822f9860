import { Injectable } from '@nestjs/common';
import { StoreRefusal } from '../../../refusals/refusal.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { Submission } from '../../../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import type { AppVersion, VersionSettings } from '../../app-store/app-store-resources.js';
import { isSameVersion } from '../../app-store/choose-version.js';
import { buildOf } from '../apple-builds.service.js';
import { progressOf, reached } from '../apple-progress.js';

/** How often a version is looked for whose answer was lost. */
const MAX_LOOKS = 5;
const LOOK_AFTER = 5;

const RELEASE_TYPES = {
  manual: 'MANUAL',
  'after-approval': 'AFTER_APPROVAL',
  scheduled: 'SCHEDULED',
} as const;

/** Makes versions in the App Store what a submission wants. */
@Injectable()
export class VersionEditor {
  /** Goes on with a version that App Store Connect has: it takes no second one. */
  async use(context: StepContext, client: AppStoreConnectClient, version: AppVersion): Promise<StepResult> {
    const changes = changesOf(version, settingsOf(context.submission));
    if (Object.keys(changes).length > 0) {
      if (changes.versionString !== undefined)
        await context.log(
          `App Store Connect has the version ${version.versionString} that was not released. It becomes ${changes.versionString}, and keeps its texts and pictures.`,
        );
      await client.appStore.updateVersion(version.id, changes);
    }
    return this.goOn(context, version.id);
  }

  /** Makes a version. After a lost answer, it is in the list. */
  async create(context: StepContext, client: AppStoreConnectClient): Promise<StepResult> {
    const { submission } = context;
    const { hasBegunVersion = false } = progressOf(submission);
    await context.save({ external: { ...progressOf(submission), hasBegunVersion: true } });
    const { platform } = buildOf(submission);
    try {
      const appleAppId = reached(submission, 'appleAppId');
      return await this.goOn(
        context,
        await client.appStore.createVersion(appleAppId, platform, settingsOf(submission)),
      );
    } catch (error) {
      const isCreated = hasBegunVersion && error instanceof StoreRefusal && error.status === 409;
      if (!isCreated || submission.stepAttempts >= MAX_LOOKS) throw error;
      await context.log('App Store Connect may have the version of an attempt whose answer was lost.');
      return { kind: 'again', afterSeconds: LOOK_AFTER };
    }
  }

  private async goOn(context: StepContext, versionId: string): Promise<StepResult> {
    const { submission } = context;
    const { version } = buildOf(submission);
    await context.log(`Preparing the version ${version} for the App Store.`);
    await context.save({ external: { ...progressOf(submission), versionId } });
    return { kind: 'next', step: 'attach' };
  }
}

function settingsOf(submission: Submission): VersionSettings {
  const { appleReleaseType, earliestReleaseAt } = submission;
  const releaseType = RELEASE_TYPES[appleReleaseType ?? 'manual'];
  return {
    versionString: buildOf(submission).version,
    releaseType,
    earliestReleaseDate: releaseType === 'SCHEDULED' ? earliestReleaseAt : null,
  };
}

/** What differs. Apple keeps the spelling of a version that came first. */
function changesOf(present: AppVersion, wanted: VersionSettings): Partial<VersionSettings> {
  const { versionString, releaseType, earliestReleaseDate } = wanted;
  const isScheduled = earliestReleaseDate !== null;
  const hasDate = present.earliestReleaseDate?.getTime() === earliestReleaseDate?.getTime();
  const isReleasedSo = present.releaseType === releaseType && (!isScheduled || hasDate);
  return {
    ...(!isSameVersion(present.versionString, versionString) && { versionString }),
    ...(!isReleasedSo && { releaseType, earliestReleaseDate }),
  };
}
