import type { Submission } from '../../submissions/submission.entity.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { AppleBuild, BuildUpload, BuildVersion } from '../api/responses/apple-resources.js';
import { type FoundBuild, ownBuildOf, type OwnUpload } from './rules/own-build.js';
import { buildNumberUsed, trainClosed } from './rules/step-refusals.js';
import { buildNumbersOf, closedBy } from './rules/version-rules.js';
import { buildOf, reached, stateOf, type TestFlightRun, type UploadState } from '../apple-state.js';
import type { Connect } from '../connect.js';

/**
 * Adopts the build that App Store Connect has of this very file, or makes room for an upload.
 *
 * @throws StoreRefusal when another file has the number, or Apple takes no more builds of the version
 */
export async function chooseBuild(
  run: TestFlightRun,
  connect: Connect,
  client: AppStoreConnectClient,
): Promise<void> {
  const { submission } = run;
  const found = await find(submission, connect, client);
  const { version, buildNumber, platform } = buildOf(submission);
  switch (found.kind) {
    case 'other':
      throw buildNumberUsed(version, buildNumber);
    case 'own':
      return adopt(run, found);
    case 'maybe-own':
      if (await isSent(client, found.fileId)) return adopt(run, found);
      await removeUpload(client, found.buildUploadId);
      break;
    case 'none':
      for (const id of found.leftovers) await removeUpload(client, id);
  }
  const versions = await client.storeVersions(run.reached('appleAppId'), platform);
  const closing = closedBy(version, versions);
  if (closing !== null) throw trainClosed(version, closing.versionString);
  // An earlier attempt may have found a build that is gone.
  if (run.state.isAdopted === true) await run.keep({ isAdopted: false });
}

/** The uploads with the version and build number of a submission, in all their spellings. */
export function uploadsOf(submission: Submission, client: AppStoreConnectClient): Promise<BuildUpload[]> {
  return inAllSpellings(submission, (appId, platform, names) => client.buildUploads(appId, platform, names));
}

/** The builds with the version and build number of a submission, in all their spellings. */
export function buildsOf(submission: Submission, client: AppStoreConnectClient): Promise<AppleBuild[]> {
  return inAllSpellings(submission, (appId, platform, names) => client.builds(appId, platform, names));
}

async function inAllSpellings<T extends { readonly id: string }>(
  submission: Submission,
  list: (
    appleAppId: string,
    platform: ReturnType<typeof buildOf>['platform'],
    names: BuildVersion,
  ) => Promise<readonly T[]>,
): Promise<T[]> {
  const { platform, version, buildNumber } = buildOf(submission);
  const found = new Map<string, T>();
  for (const number of buildNumbersOf(buildNumber)) {
    const names = { version, buildNumber: number };
    for (const one of await list(reached(submission, 'appleAppId'), platform, names)) found.set(one.id, one);
  }
  return [...found.values()];
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

async function find(
  submission: Submission,
  { progress }: Connect,
  client: AppStoreConnectClient,
): Promise<FoundBuild> {
  const uploads = await uploadsOf(submission, client);
  const builds = await buildsOf(submission, client);
  const ids = [...uploads, ...builds].map(({ id }) => id);
  const own = await progress.ofStoreIds(submission, ids);
  return ownBuildOf(
    uploads,
    builds,
    own.map((one) => toOwnUpload(one, submission)),
  );
}

async function adopt(
  run: TestFlightRun,
  {
    buildUploadId,
    fileId,
    buildId,
  }: Partial<Pick<UploadState, 'buildUploadId' | 'fileId'>> & { readonly buildId?: string },
): Promise<void> {
  await run.log(
    'App Store Connect has a build of this very file already, so the submission goes on with it and uploads nothing.',
  );
  await run.keep(
    {
      isAdopted: true,
      ...(buildUploadId !== undefined && { buildUploadId }),
      ...(fileId !== undefined && { fileId }),
      ...(buildId !== undefined && { buildId }),
    },
    { state: 'preparing' },
  );
}

/** Whether the end of an upload has arrived, of which the upload itself shows nothing yet. */
async function isSent(client: AppStoreConnectClient, fileId: string): Promise<boolean> {
  const { state } = await client.buildUploadFile(fileId);
  return state !== null && state !== 'AWAITING_UPLOAD' && state !== 'FAILED';
}

function toOwnUpload(own: Submission, { sha256 }: Submission): OwnUpload {
  const { buildUploadId, fileId, buildId, isDelivered } = stateOf(own);
  return {
    ...(buildUploadId !== undefined && { buildUploadId }),
    ...(fileId !== undefined && { fileId }),
    ...(buildId !== undefined && { buildId }),
    // On the way to the review, the next commit is not sent yet.
    wasSent: own.commitSentAt !== null || isDelivered === true,
    isSameFile: own.sha256 === sha256,
  };
}
