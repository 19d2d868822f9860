import { Injectable } from '@nestjs/common';
import type { ApplePlatform } from '../../../../common/apple-platforms.js';
import { SubmissionProgress } from '../../../submissions/submission-progress.service.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import { refused } from '../../refusals/refused.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import type { AppleBuild, BuildUpload, BuildVersion } from '../apple-resources.js';
import { type FoundBuild, ownBuildOf, type OwnUpload } from '../testflight-builds/own-build.js';
import { buildNumbersOf, closedBy } from '../testflight-builds/version-rules.js';
import { type AppleProgress, progressOf, reached } from './apple-progress.js';
import { buildNumberUsed, trainClosed } from '../testflight-builds/step-refusals.js';

/** Finds out whether App Store Connect has a build of the file, or takes one. */
@Injectable()
export class AppleBuilds {
  constructor(private readonly progress: SubmissionProgress) {}

  /**
   * Goes on with the build that App Store Connect has of this very file, or with an upload.
   *
   * @throws StoreRefusal when another file has the number, or Apple takes no more builds of the version
   */
  async choose(context: StepContext, client: AppStoreConnectClient): Promise<StepResult> {
    const { submission } = context;
    const found = await this.find(submission, client);
    const { version, buildNumber, platform } = buildOf(submission);
    switch (found.kind) {
      case 'other':
        throw buildNumberUsed(version, buildNumber);
      case 'own':
        return this.adopt(context, found);
      case 'maybe-own':
        if (await isSent(client, found.fileId)) return this.adopt(context, found);
        await removeUpload(client, found.buildUploadId);
        break;
      case 'none':
        for (const id of found.leftovers) await removeUpload(client, id);
    }
    const versions = await client.storeVersions(reached(submission, 'appleAppId'), platform);
    const closing = closedBy(version, versions);
    if (closing !== null) throw trainClosed(version, closing.versionString);
    return { kind: 'next', step: 'upload' };
  }

  /** The uploads with the version and build number of a submission, in all their spellings. */
  async uploads(submission: Submission, client: AppStoreConnectClient): Promise<BuildUpload[]> {
    const { platform, version, buildNumber } = buildOf(submission);
    const found: BuildUpload[] = [];
    for (const number of buildNumbersOf(buildNumber)) {
      const names = { version, buildNumber: number };
      found.push(...(await client.buildUploads(reached(submission, 'appleAppId'), platform, names)));
    }
    return withoutTwins(found);
  }

  /** The builds with the version and build number of a submission, in all their spellings. */
  async builds(submission: Submission, client: AppStoreConnectClient): Promise<AppleBuild[]> {
    const { platform, version, buildNumber } = buildOf(submission);
    const found: AppleBuild[] = [];
    for (const number of buildNumbersOf(buildNumber)) {
      const names = { version, buildNumber: number };
      found.push(...(await client.builds(reached(submission, 'appleAppId'), platform, names)));
    }
    return withoutTwins(found);
  }

  private async find(submission: Submission, client: AppStoreConnectClient): Promise<FoundBuild> {
    const uploads = await this.uploads(submission, client);
    const builds = await this.builds(submission, client);
    const ids = [...uploads, ...builds].map(({ id }) => id);
    const own = await this.progress.ofStoreIds(submission, ids);
    return ownBuildOf(
      uploads,
      builds,
      own.map((one) => toOwnUpload(one, submission)),
    );
  }

  private async adopt(
    context: StepContext,
    { buildUploadId, fileId, buildId }: Pick<AppleProgress, 'buildUploadId' | 'fileId' | 'buildId'>,
  ): Promise<StepResult> {
    await context.log(
      'App Store Connect has a build of this very file already, so the submission goes on with it and uploads nothing.',
    );
    await context.save({
      state: 'preparing',
      external: {
        ...progressOf(context.submission),
        isAdopted: true,
        ...(buildUploadId !== undefined && { buildUploadId }),
        ...(fileId !== undefined && { fileId }),
        ...(buildId !== undefined && { buildId }),
      },
    });
    return { kind: 'next', step: 'processing' };
  }
}

/** Version, build number and platform of a submission. @throws StoreRefusal when it lacks one */
export function buildOf({ versionName, versionCode, applePlatform }: Submission): BuildVersion & {
  readonly platform: ApplePlatform;
} {
  if (versionName !== null && applePlatform !== null)
    return { version: versionName, buildNumber: versionCode, platform: applePlatform };
  throw refused(
    'version_missing',
    'App Store Connect takes no ipa without CFBundleShortVersionString, or for an unknown platform. Set it, build again and submit that build.',
  );
}

/** Deletes an upload that has not ended. One that is gone already is fine. @throws StoreRefusal */
export async function removeUpload(client: AppStoreConnectClient, id: string): Promise<void> {
  try {
    await client.deleteBuildUpload(id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Whether App Store Connect does not find something. */
export function isNotFound(error: unknown): error is StoreRefusal {
  return error instanceof StoreRefusal && error.status === 404;
}

/** Whether the end of an upload has arrived, of which the upload itself shows nothing yet. */
async function isSent(client: AppStoreConnectClient, fileId: string): Promise<boolean> {
  const { state } = await client.buildUploadFile(fileId);
  return state !== null && state !== 'AWAITING_UPLOAD' && state !== 'FAILED';
}

function toOwnUpload(own: Submission, { sha256 }: Submission): OwnUpload {
  const { buildUploadId, fileId, buildId, isDelivered } = progressOf(own);
  return {
    ...(buildUploadId !== undefined && { buildUploadId }),
    ...(fileId !== undefined && { fileId }),
    ...(buildId !== undefined && { buildId }),
    // On the way to the review, the next commit is not sent yet.
    wasSent: own.commitSentAt !== null || isDelivered === true,
    isSameFile: own.sha256 === sha256,
  };
}

function withoutTwins<T extends { readonly id: string }>(found: readonly T[]): T[] {
  return [...new Map(found.map((one) => [one.id, one])).values()];
}
