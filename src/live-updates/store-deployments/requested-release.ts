/** How a build is to be released in a store. */
export interface ReleaseOptions {
  /** By locale; `default` is for the default language. */
  readonly releaseNotes: Readonly<Record<string, string>> | null;
  /** Share of users, 0 to 1. */
  readonly rolloutPercentage: number;
  readonly inAppUpdatePriority: number | null;
  /** Whether it may cancel a review that runs. */
  readonly cancelsReview: boolean;
  /** When a version of the App Store goes live at the earliest; `null`: the request says nothing. */
  readonly earliestReleaseAt: Date | null;
}

/** What a request says about a release. */
export interface RequestedRelease extends ReleaseOptions {
  /** Whether the file may be signed with another key than the last release. */
  readonly acceptsNewSigner: boolean;
  /** Whether the version may have been submitted to the destination before. */
  readonly isForced: boolean;
}
