import type { StoreVersion } from './apple-resources.js';

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
