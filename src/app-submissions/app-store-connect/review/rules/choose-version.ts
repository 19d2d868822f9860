import { normalizedVersion } from '../../apple-version.js';
import { closedBy } from '../../testflight/rules/version-rules.js';
import type { AppVersion } from '../../api/responses/app-store-resources.js';
import { APPROVED, EDITABLE, IN_REVIEW, isIn, WAS_LIVE } from './version-states.js';

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

/** Whether two texts are the same version for Apple. */
export function isSameVersion(one: string, other: string): boolean {
  return normalizedVersion(one) === normalizedVersion(other);
}
