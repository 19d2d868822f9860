import type { Platform } from '../connect-state.ts';
import type { StoreVersion, VersionState } from './store-version.ts';

/** A version as a person sees it in App Store Connect. */
export interface DescribedVersion {
  readonly id: string;
  readonly platform: Platform;
  readonly versionString: string;
  readonly state: VersionState;
  readonly releaseType: StoreVersion['releaseType'];
  readonly earliestReleaseDate: string | null;
  /** `null`: it has none. */
  readonly buildNumber: string | null;
  /** By language; without those that have no words. */
  readonly whatsNew: Readonly<Record<string, string>>;
  /** State and day of its phased release. */
  readonly phased: string | null;
  /** How often it went live: once, or never. */
  readonly releases: number;
  /** The states of the review submissions that were sent and have had it, the oldest first. */
  readonly reviews: readonly string[];
}

export function describeVersion(version: StoreVersion): DescribedVersion {
  const { id, app, platform, versionString, state, releaseType, phasedRelease: phased } = version;
  const notes = version.localizations.flatMap(({ locale, whatsNew }) =>
    whatsNew === null ? [] : [[locale, whatsNew]],
  );
  return {
    id,
    platform,
    versionString,
    state,
    releaseType,
    earliestReleaseDate: version.earliestReleaseDate?.toISOString() ?? null,
    buildNumber: version.build?.buildNumber ?? null,
    whatsNew: Object.fromEntries(notes) as Record<string, string>,
    phased: phased === null ? null : `${phased.state} ${phased.currentDayNumber ?? 0}`,
    releases: app.releases.filter((one) => one.versionString === versionString && one.platform === platform)
      .length,
    reviews: app.reviewSubmissions
      .filter(
        ({ submittedAt, items }) => submittedAt !== null && items.some((one) => one.version === version),
      )
      .map((submission) => submission.state),
  };
}
