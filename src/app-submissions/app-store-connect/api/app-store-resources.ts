import type { JsonValue } from '../../../common/json-value.js';
import { idOf, type StoreVersion } from './apple-resources.js';

/** A version in the App Store, with its build and its phased release. */
export interface AppVersion extends StoreVersion {
  readonly id: string;
  /** `MANUAL`, `AFTER_APPROVAL` or `SCHEDULED`; `null`: Apple does not say. */
  readonly releaseType: string | null;
  /** With `SCHEDULED`; otherwise Apple may keep an old one. */
  readonly earliestReleaseDate: Date | null;
  /** `null`: it has none yet. */
  readonly buildId: string | null;
  /** `null`: all users get it immediately. */
  readonly phasedRelease: PhasedRelease | null;
}

/** How a version reaches its users over seven days. */
export interface PhasedRelease {
  readonly id: string;
  /** `INACTIVE`, `ACTIVE`, `PAUSED` or `COMPLETE`; whatever Apple says. */
  readonly state: string | null;
  /** From 1; `null`: it has not begun. */
  readonly dayNumber: number | null;
}

/** What is set at a version. */
export interface VersionSettings {
  readonly versionString: string;
  readonly releaseType: 'MANUAL' | 'AFTER_APPROVAL' | 'SCHEDULED';
  /** With `SCHEDULED`, a whole hour; otherwise `null`. */
  readonly earliestReleaseDate: Date | null;
}

/** The texts of a version in one language. */
export interface VersionLocalization {
  readonly id: string;
  readonly locale: string;
  /** What's New in This Version. */
  readonly whatsNew: string | null;
}

/** What goes to the review of the App Store together. */
export interface ReviewSubmission {
  readonly id: string;
  /**
   * `READY_FOR_REVIEW` (not submitted), `WAITING_FOR_REVIEW`, `IN_REVIEW`, `UNRESOLVED_ISSUES`, `CANCELING`, `COMPLETING` or
   * `COMPLETE`; whatever Apple says.
   */
  readonly state: string | null;
  /** The version in it; `null`: Apple does not say, or it has none. */
  readonly versionId: string | null;
}

/** One thing in a review submission. */
export interface ReviewItem {
  readonly id: string;
  /** `null`: it is no version, but an event or the like. */
  readonly versionId: string | null;
}

/** @param included where its phased release is @throws StoreRefusal when it has no usable id */
export function toVersion(resource: JsonValue, included: readonly JsonValue[]): AppVersion {
  const attributes = resource.get('attributes');
  const phasedId = relatedId(resource, 'appStoreVersionPhasedRelease');
  const phased = included.find(
    (other) =>
      other.get('type').string === 'appStoreVersionPhasedReleases' && other.get('id').string === phasedId,
  );
  return {
    id: idOf(resource),
    versionString: attributes.get('versionString').text ?? '',
    state: attributes.get('appVersionState').text,
    releaseType: attributes.get('releaseType').text,
    earliestReleaseDate: dateOf(attributes.get('earliestReleaseDate')),
    buildId: relatedId(resource, 'build'),
    phasedRelease: phased === undefined ? null : toPhasedRelease(phased),
  };
}

export function toPhasedRelease(resource: JsonValue): PhasedRelease {
  const day = Number(resource.get('attributes', 'currentDayNumber').text ?? Number.NaN);
  return {
    id: idOf(resource),
    state: resource.get('attributes', 'phasedReleaseState').text,
    dayNumber: Number.isInteger(day) && day > 0 ? day : null,
  };
}

export function toVersionLocalization(resource: JsonValue): VersionLocalization {
  return {
    id: idOf(resource),
    locale: resource.get('attributes', 'locale').exactText ?? '',
    whatsNew: resource.get('attributes', 'whatsNew').longText,
  };
}

export function toReviewSubmission(resource: JsonValue): ReviewSubmission {
  return {
    id: idOf(resource),
    state: resource.get('attributes', 'state').text,
    versionId: relatedId(resource, 'appStoreVersionForReview'),
  };
}

export function toReviewItem(resource: JsonValue): ReviewItem {
  return { id: idOf(resource), versionId: relatedId(resource, 'appStoreVersion') };
}

/** `null`: Apple names none. */
function relatedId(resource: JsonValue, name: string): string | null {
  const data = resource.get('relationships', name, 'data');
  return data.isObject ? idOf(data) : null;
}

function dateOf(value: JsonValue): Date | null {
  const time = Date.parse(value.string ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}
