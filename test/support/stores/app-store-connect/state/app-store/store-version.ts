import { randomUUID } from 'node:crypto';
import type { Build } from '../builds.ts';
import type { AppleApp, Platform } from '../connect-state.ts';

/** https://developer.apple.com/documentation/appstoreconnectapi/appversionstate */
export const VERSION_STATES = [
  'ACCEPTED',
  'DEVELOPER_REJECTED',
  'IN_REVIEW',
  'INVALID_BINARY',
  'METADATA_REJECTED',
  'PENDING_APPLE_RELEASE',
  'PENDING_DEVELOPER_RELEASE',
  'PREPARE_FOR_SUBMISSION',
  'PROCESSING_FOR_DISTRIBUTION',
  'READY_FOR_DISTRIBUTION',
  'READY_FOR_REVIEW',
  'REJECTED',
  'REPLACED_WITH_NEW_VERSION',
  'WAITING_FOR_EXPORT_COMPLIANCE',
  'WAITING_FOR_REVIEW',
] as const;
export type VersionState = (typeof VERSION_STATES)[number];

/** AvdLee/appstoreconnect-swift-sdk, `AppStoreVersion`. */
export const RELEASE_TYPES = ['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED'] as const;
export const PHASED_STATES = ['INACTIVE', 'ACTIVE', 'PAUSED', 'COMPLETE'] as const;

/** tramlinehq/tramline: the four states after a "no", and the one before a review, are those in which it can be edited. */
const EDITABLE: readonly VersionState[] = [
  'PREPARE_FOR_SUBMISSION',
  'DEVELOPER_REJECTED',
  'REJECTED',
  'METADATA_REJECTED',
  'INVALID_BINARY',
];
const LIVE: readonly VersionState[] = ['READY_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION'];

/** The page of a version in a language. */
export interface VersionLocalization {
  readonly id: string;
  readonly version: StoreVersion;
  readonly locale: string;
  whatsNew: string | null;
}

/** How an approved version goes to users who update automatically: in seven days. */
export interface PhasedRelease {
  readonly id: string;
  readonly version: StoreVersion;
  state: (typeof PHASED_STATES)[number];
  startDate: Date | null;
  /** Days in all. */
  totalPauseDuration: number;
  /** 1 to 7; `null` before it begins. */
  currentDayNumber: number | null;
}

/** A version in the App Store. */
export interface StoreVersion {
  readonly id: string;
  readonly app: AppleApp;
  readonly platform: Platform;
  readonly createdAt: Date;
  versionString: string;
  state: VersionState;
  releaseType: (typeof RELEASE_TYPES)[number];
  earliestReleaseDate: Date | null;
  copyright: string | null;
  build: Build | null;
  readonly localizations: VersionLocalization[];
  phasedRelease: PhasedRelease | null;
  /** How many reads still find it in `PROCESSING_FOR_DISTRIBUTION`. */
  readsUntilLive: number;
  /** How many edits are still refused after a cancellation. */
  lockedEdits: number;
}

/** What Apple wants of an app before its review, beside what a version has. */
export type Requirement =
  | 'privacy'
  | 'screenshots'
  | 'age-rating'
  | 'pricing'
  | 'contact'
  | 'description'
  | 'keywords'
  | 'support-url'
  | 'content-rights'
  | 'category';

/** That a version went live. */
export interface LiveRelease {
  readonly versionString: string;
  readonly platform: Platform;
  readonly buildId: string | null;
  readonly at: Date;
}

/** What a test wants of a version. */
export type NewStoreVersion = Partial<Omit<StoreVersion, 'id' | 'app' | 'localizations' | 'phasedRelease'>>;

/** Adds a version to its app: by default, one that is live. It has a page for each language of the app. */
export function addVersion(app: AppleApp, values: NewStoreVersion): StoreVersion {
  const version: StoreVersion = {
    id: randomUUID(),
    app,
    platform: 'IOS',
    createdAt: new Date(),
    versionString: '1.0',
    state: 'READY_FOR_DISTRIBUTION',
    releaseType: 'AFTER_APPROVAL',
    earliestReleaseDate: null,
    copyright: null,
    build: null,
    phasedRelease: null,
    readsUntilLive: 0,
    lockedEdits: 0,
    ...values,
    localizations: [],
  };
  for (const locale of app.storeLocales) addVersionLocalization(version, locale, null);
  app.versions.push(version);
  return version;
}

export function addVersionLocalization(
  version: StoreVersion,
  locale: string,
  whatsNew: string | null,
): VersionLocalization {
  const localization = { id: randomUUID(), version, locale, whatsNew };
  version.localizations.push(localization);
  return localization;
}

export function addPhasedRelease(version: StoreVersion): PhasedRelease {
  version.phasedRelease = {
    id: randomUUID(),
    version,
    state: 'INACTIVE',
    startDate: null,
    totalPauseDuration: 0,
    currentDayNumber: null,
  };
  return version.phasedRelease;
}

export const isEditable = ({ state }: StoreVersion): boolean => EDITABLE.includes(state);
export const isLive = ({ state }: StoreVersion): boolean => LIVE.includes(state);

/** No version of its platform is live: it has no release notes, and no phased release. */
export function isFirst({ app, platform }: StoreVersion): boolean {
  return !app.versions.some((one) => one.platform === platform && isLive(one));
}
