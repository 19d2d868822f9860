import type { AppVersion } from '../api/app-store-resources.js';
import { closedBy } from '../apple-version.js';

/** Apple's states of versions (`appVersionState`), by what can be done with one. Older names are in brackets in its document. */

/** It can be changed: it was not sent for review, was taken out of it, or was rejected. */
const EDITABLE: ReadonlySet<string> = new Set([
  'PREPARE_FOR_SUBMISSION',
  // In a review submission that was not sent: its build is frozen until it is taken out.
  'READY_FOR_REVIEW',
  'DEVELOPER_REJECTED',
  'REJECTED',
  'METADATA_REJECTED',
  'INVALID_BINARY',
]);

/** It waits for the review, or is in it. */
export const IN_REVIEW: ReadonlySet<string> = new Set([
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'WAITING_FOR_EXPORT_COMPLIANCE',
]);

/** Apple has approved it, and no user has it. */
export const APPROVED: ReadonlySet<string> = new Set([
  'ACCEPTED',
  'PENDING_APPLE_RELEASE',
  'PENDING_DEVELOPER_RELEASE',
  'PROCESSING_FOR_DISTRIBUTION',
]);

/** Users have it, or had it: the app has a version before the next one. */
const WAS_LIVE: ReadonlySet<string> = new Set(['READY_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION']);

/** How a build gets into a version. An app has one version at most, for each platform, that is not live. */
export type VersionChoice =
  | { readonly kind: 'use'; readonly version: AppVersion }
  | { readonly kind: 'create' }
  /** The build is in the review already. */
  | { readonly kind: 'submitted'; readonly version: AppVersion }
  /** Another build waits for the review, or is in it. */
  | { readonly kind: 'in-review'; readonly version: AppVersion }
  /** A version is approved and not live. */
  | { readonly kind: 'approved'; readonly version: AppVersion }
  /** The version string is used: users have it, or a higher one. @param closing that version */
  | { readonly kind: 'closed'; readonly closing: string }
  /** App Store Connect has several that can be changed. */
  | { readonly kind: 'several'; readonly versions: readonly AppVersion[] };

/** @param versions of the platform */
export function chooseVersion(
  versions: readonly AppVersion[],
  { version, buildId }: { readonly version: string; readonly buildId: string },
): VersionChoice {
  const reviewed = versions.filter((one) => isIn(IN_REVIEW, one));
  const submitted = reviewed.find((one) => one.buildId === buildId);
  if (submitted !== undefined) return { kind: 'submitted', version: submitted };
  const approved = versions.find((one) => isIn(APPROVED, one));
  if (approved !== undefined) return { kind: 'approved', version: approved };
  const closing = closedBy(version, versions);
  if (closing !== null) return { kind: 'closed', closing: closing.versionString };
  const [inReview] = reviewed;
  if (inReview !== undefined) return { kind: 'in-review', version: inReview };
  const editable = versions.filter((one) => isIn(EDITABLE, one));
  const [only, second] = editable;
  if (second !== undefined) return { kind: 'several', versions: editable };
  return only === undefined ? { kind: 'create' } : { kind: 'use', version: only };
}

/** Whether no version of the app was live on the platform: then it has no What's New and no phased release. */
export function isFirstVersion(versions: readonly AppVersion[]): boolean {
  return !versions.some((one) => isIn(WAS_LIVE, one));
}

export function isIn(states: ReadonlySet<string>, { state }: { readonly state: string | null }): boolean {
  return state !== null && states.has(state);
}
