import { Injectable } from '@nestjs/common';
import type { ReleaseLook } from '../../../../store-releases/release-look.js';
import { SubmissionProgress } from '../../../../submissions/submission-progress.service.js';
import type { Submission } from '../../../../submissions/submission.entity.js';
import { StoreRefusal } from '../../../refusals/refusal.js';
import { keyIsGone } from '../../../refusals/refused.js';
import type { StoreSession } from '../../../store-calls/store-session.js';
import type { StepContext } from '../../../store.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import type { AppVersion } from '../../app-store/app-store-resources.js';
import { releaseGone } from '../../app-store/review-refusals.js';
import { lookOfNothing, lookOfVersion } from '../../app-store/version-look.js';
import { AppleAccounts, API_KEY } from '../apple-accounts.service.js';
import { isNotFound } from '../apple-builds.service.js';
import { progressOf, reached } from '../apple-progress.js';
import { factsOf } from '../app-store/version-facts.js';
import { lookAtBuild } from './look-at-build.js';

/** A version that is changed. */
export interface OpenRelease {
  /** The submission that has made it. */
  readonly release: Submission;
  readonly client: AppStoreConnectClient;
  readonly version: AppVersion;
}

/** Releases that submissions have made in App Store Connect. */
@Injectable()
export class AppleReleases {
  constructor(
    private readonly accounts: AppleAccounts,
    private readonly progress: SubmissionProgress,
  ) {}

  /**
   * The version that a change is about, which still has the build of the release.
   *
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async open({ submission, session }: Pick<StepContext, 'submission' | 'session'>): Promise<OpenRelease> {
    const release = await this.progress.find(submission.releaseId ?? '');
    if (release === null || progressOf(release).versionId === undefined) throw releaseGone();
    try {
      const { client, value: version } = await this.withKey(release, session, (one) =>
        one.appStore.version(reached(release, 'versionId')),
      );
      if (version.buildId !== null && version.buildId !== progressOf(release).buildId) throw releaseGone();
      return { release, client, version };
    } catch (error) {
      throw isNotFound(error) ? releaseGone() : error;
    }
  }

  /** Where a release is, with one call. @throws StoreRefusal @throws StoreUnreachableError */
  async look(submission: Submission, session: StoreSession, known: ReleaseLook | null): Promise<ReleaseLook> {
    const { versionId } = progressOf(submission);
    if (versionId === undefined) {
      const { value } = await this.withKey(submission, session, (one) => lookAtBuild(one, submission, known));
      return value;
    }
    const facts = factsOf(submission, known);
    try {
      const { value } = await this.withKey(submission, session, (one) => one.appStore.version(versionId));
      return lookOfVersion(value, facts);
    } catch (error) {
      if (isNotFound(error)) return lookOfNothing(facts);
      throw error;
    }
  }

  /** Calls with the key that the submission began with, or else with the one that its destination has now. */
  private async withKey<T>(
    submission: Submission,
    session: StoreSession,
    work: (client: AppStoreConnectClient) => Promise<T>,
  ): Promise<{ readonly client: AppStoreConnectClient; readonly value: T }> {
    let failure: StoreRefusal | null = null;
    for (const client of await this.accounts.clientsOf(submission, session)) {
      try {
        return { client, value: await work(client) };
      } catch (error) {
        if (!(error instanceof StoreRefusal) || ![401, 403, 404].includes(error.status)) throw error;
        // To a key of another team, everything is missing: what the first one gets counts.
        failure ??= error;
      }
    }
    throw failure ?? keyIsGone(API_KEY);
  }
}

/** Where the version of a change is. */
export function lookAfter(
  { release }: Pick<OpenRelease, 'release'>,
  version: AppVersion,
  known: Pick<ReleaseLook, 'status'> | null = null,
): ReleaseLook {
  return lookOfVersion(version, factsOf(release, known));
}
