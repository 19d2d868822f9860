import type { AppleBuild, BuildUpload } from '../apple-resources.js';

/** What submissions of the very file have reached at Apple. */
export interface OwnUpload {
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
 * Finds the build of a file at Apple. Uploads that have failed do not use up the number, and those of other programs that
 * have not ended may never do.
 *
 * @param own of submissions of the same app of Slipway with the same bytes
 */
export function ownBuildOf(
  uploads: readonly BuildUpload[],
  builds: readonly AppleBuild[],
  own: readonly OwnUpload[],
): FoundBuild {
  const live = uploads.filter(({ state }) => state !== FAILED);
  const mine = live.filter(({ id }) => own.some(({ buildUploadId }) => buildUploadId === id));
  const done = mine.find(({ state }) => state !== AWAITING);
  const build = builds.find(({ id }) => id === done?.buildId || own.some(({ buildId }) => buildId === id));
  if (done !== undefined || build !== undefined) return ownOf(done, build, own);
  // Their builds show before uploads name them, so this comes after the own uploads.
  const isUsed = builds.length > 0 || live.some(({ id, state }) => state !== AWAITING && !isIn(mine, id));
  if (isUsed) return { kind: 'other' };
  for (const { id: buildUploadId } of mine) {
    const fileId = own.find((one) => one.wasSent && one.buildUploadId === buildUploadId)?.fileId;
    if (fileId !== undefined) return { kind: 'maybe-own', buildUploadId, fileId };
  }
  return { kind: 'none', leftovers: mine.map(({ id }) => id) };
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

function isIn(uploads: readonly BuildUpload[], id: string): boolean {
  return uploads.some((upload) => upload.id === id);
}
