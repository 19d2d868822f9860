import { StoreRefusal } from '../../calls/refusals/refusal.js';
import { keyIsGone } from '../../calls/refusals/refusal.js';
import type { StoreSession } from '../../calls/store-session.js';
import type { ReleaseLook } from '../../releases/release-look.js';
import type { Submission } from '../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { AppVersion } from '../api/app-store-resources.js';
import { type AppleAccounts, API_KEY } from '../apple-accounts.service.js';
import { type ChangeRun, type Connect, reached, stateOf } from '../apple-state.js';
import { isNotFound } from '../lost-response.js';
import { releaseGone } from '../refusals/own-refusals.js';
import { lookOfBuild, lookOfNothing, lookOfVersion, type VersionFacts } from './release-looks.js';

/** A version that is changed. */
export interface OpenRelease {
  /** The submission that has made it. */
  readonly release: Submission;
  readonly client: AppStoreConnectClient;
  readonly version: AppVersion;
}

/**
 * The version that a change is about, which still has the build of the release.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function openRelease(
  { submission, session }: ChangeRun,
  { accounts, progress }: Connect,
): Promise<OpenRelease> {
  const release = await progress.find(submission.releaseId ?? '');
  if (release === null || stateOf(release).versionId === undefined) throw releaseGone();
  try {
    const { client, value: version } = await withKey(accounts, release, session, (one) =>
      one.appStore.version(reached(release, 'versionId')),
    );
    if (version.buildId !== null && version.buildId !== stateOf(release).buildId) throw releaseGone();
    return { release, client, version };
  } catch (error) {
    throw isNotFound(error) ? releaseGone() : error;
  }
}

/** Where a release is, with one call. @throws StoreRefusal @throws StoreUnreachableError */
export async function lookAtRelease(
  accounts: AppleAccounts,
  submission: Submission,
  session: StoreSession,
  known: ReleaseLook | null,
): Promise<ReleaseLook> {
  const { versionId } = stateOf(submission);
  if (versionId === undefined) {
    const look = (client: AppStoreConnectClient) => lookAtBuild(client, submission, known);
    return (await withKey(accounts, submission, session, look)).value;
  }
  const facts = factsOf(submission, known);
  try {
    const { value } = await withKey(accounts, submission, session, (one) => one.appStore.version(versionId));
    return lookOfVersion(value, facts);
  } catch (error) {
    if (isNotFound(error)) return lookOfNothing(facts);
    throw error;
  }
}

/** Asks where the build of a submission is in TestFlight. @throws StoreRefusal @throws StoreUnreachableError */
export async function lookAtBuild(
  client: AppStoreConnectClient,
  submission: Submission,
  known: ReleaseLook | null = null,
): Promise<ReleaseLook> {
  const { groups = [], buildUploadId } = stateOf(submission);
  const detail = await client.buildBetaDetail(reached(submission, 'buildId'));
  return lookOfBuild(detail, {
    appleAppId: reached(submission, 'appleAppId'),
    platform: submission.applePlatform,
    buildUploadId,
    hasExternalGroups: groups.some(({ isInternal }) => !isInternal),
    known,
  });
}

/** Where the version of a change is. */
export function lookAfter(
  { release }: Pick<OpenRelease, 'release'>,
  version: AppVersion,
  known: Pick<ReleaseLook, 'status'> | null = null,
): ReleaseLook {
  return lookOfVersion(version, factsOf(release, known));
}

/** What a submission knows about its version. @param known of its release; `null`: nothing yet */
export function factsOf(submission: Submission, known: Pick<ReleaseLook, 'status'> | null): VersionFacts {
  return {
    appleAppId: reached(submission, 'appleAppId'),
    platform: submission.applePlatform,
    buildId: reached(submission, 'buildId'),
    releaseType: submission.appleReleaseType,
    earliestReleaseAt: submission.earliestReleaseAt,
    known,
  };
}

/** Calls with the key that the submission began with, or else with the one that its destination has now. */
async function withKey<T>(
  accounts: AppleAccounts,
  submission: Submission,
  session: StoreSession,
  work: (client: AppStoreConnectClient) => Promise<T>,
): Promise<{ readonly client: AppStoreConnectClient; readonly value: T }> {
  let failure: StoreRefusal | null = null;
  for (const client of await accounts.clientsOf(submission, session)) {
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
