import type { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { Submission } from '../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { AppleBuild, BuildUpload, BuildVersion } from '../api/apple-resources.js';
import {
  buildOf,
  type Connect,
  reached,
  stateOf,
  type TestFlightRun,
  type UploadState,
} from '../apple-state.js';
import { buildNumbersOf, closedBy } from '../apple-version.js';
import { isNotFound } from '../lost-response.js';
import { buildNumberUsed, trainClosed } from '../refusals/own-refusals.js';

/** What a submission of the same app of Slipway has reached at Apple. */
export interface OwnUpload {
  /** It is of the same bytes. */
  readonly isSameFile: boolean;
  readonly buildUploadId?: string;
  readonly fileId?: string;
  readonly buildId?: string;
  /** The end of the upload was sent. */
  readonly wasSent: boolean;
}

/** What App Store Connect has under a version and build number. */
export type FoundBuild =
  /** Nothing that Slipway could not remove. @param leftovers own uploads without an end */
  | { readonly kind: 'none'; readonly leftovers: readonly string[] }
  /** The very file. */
  | { readonly kind: 'own'; readonly buildUploadId?: string; readonly buildId?: string }
  /** The very file, if Apple has got the end of its upload. */
  | { readonly kind: 'maybe-own'; readonly buildUploadId: string; readonly fileId: string }
  /** Another file, or one that this app of Slipway has not sent. */
  | { readonly kind: 'other' };

const AWAITING = 'AWAITING_UPLOAD';
const FAILED = 'FAILED';

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

/** No submission continues with this build. @throws StoreRefusal */
export async function reject(run: TestFlightRun, refusal: StoreRefusal): Promise<never> {
  await run.keep({ isRejected: true });
  throw refusal;
}

/**
 * The uploads without an end that a submission has created, also those whose answers were lost.
 *
 * @param known ids of those that were there before
 */
export function begunUploads(listed: readonly BuildUpload[], known: readonly string[]): string[] {
  return listed.filter(({ id, state }) => state === AWAITING && !known.includes(id)).map(({ id }) => id);
}

/**
 * Finds the build of a file at Apple. Uploads that have failed do not use up the number, and those of other programs that
 * have not ended may never do.
 *
 * @param own of submissions of the same app of Slipway; none of them works now, except those of the same file that Apple has
 */
export function ownBuildOf(
  uploads: readonly BuildUpload[],
  builds: readonly AppleBuild[],
  own: readonly OwnUpload[],
): FoundBuild {
  const same = own.filter(({ isSameFile }) => isSameFile);
  const live = uploads.filter(({ state }) => state !== FAILED);
  const done = live.find(({ id, state }) => state !== AWAITING && isIn(same, id));
  const build = builds.find(({ id }) => id === done?.buildId || same.some(({ buildId }) => buildId === id));
  if (done !== undefined || build !== undefined) return ownOf(done, build, same);
  // Their builds show before uploads name them, so this comes after the own uploads.
  if (builds.length > 0 || live.some(({ state }) => state !== AWAITING)) return { kind: 'other' };
  for (const { buildUploadId, fileId, wasSent } of same) {
    const isLive = live.some(({ id }) => id === buildUploadId);
    if (isLive && wasSent && buildUploadId !== undefined && fileId !== undefined)
      return { kind: 'maybe-own', buildUploadId, fileId };
  }
  const unsent = own.filter(({ wasSent, isSameFile }) => isSameFile || !wasSent);
  return { kind: 'none', leftovers: live.filter(({ id }) => isIn(unsent, id)).map(({ id }) => id) };
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

function ownOf(
  upload: BuildUpload | undefined,
  build: AppleBuild | undefined,
  own: readonly OwnUpload[],
): FoundBuild {
  const buildUploadId = upload?.id ?? own.find(({ buildId }) => buildId === build?.id)?.buildUploadId;
  const buildId = build?.id ?? upload?.buildId ?? undefined;
  return {
    kind: 'own',
    ...(buildUploadId !== undefined && { buildUploadId }),
    ...(buildId !== undefined && { buildId }),
  };
}

function isIn(own: readonly OwnUpload[], id: string): boolean {
  return own.some(({ buildUploadId }) => buildUploadId === id);
}
