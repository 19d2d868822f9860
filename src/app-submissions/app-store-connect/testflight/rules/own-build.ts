import type { AppleBuild, BuildUpload } from '../../api/responses/apple-resources.js';

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
