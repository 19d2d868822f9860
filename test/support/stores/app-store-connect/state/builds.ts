import { randomUUID } from 'node:crypto';
import type { AppleApp, Platform } from './connect-state.ts';
import type { BuildUpload } from './uploads.ts';

export const PROCESSING_STATES = ['PROCESSING', 'FAILED', 'INVALID', 'VALID'] as const;
export const REVIEW_STATES = ['WAITING_FOR_REVIEW', 'IN_REVIEW', 'REJECTED', 'APPROVED'] as const;
const LIFE = 90 * 24 * 3_600_000;

/** What to test, in a language. */
export interface BuildLocalization {
  readonly id: string;
  readonly build: Build;
  readonly locale: string;
  whatsNew: string | null;
}

/** A beta review. */
export interface BetaReview {
  readonly id: string;
  readonly submittedAt: Date;
  state: (typeof REVIEW_STATES)[number];
}

/** A build that Apple has made of an upload. */
export interface Build {
  readonly id: string;
  readonly app: AppleApp;
  readonly platform: Platform;
  /** The spelling of the train that came first. */
  readonly version: string;
  readonly buildNumber: string;
  readonly sha256: string;
  readonly size: number;
  readonly uploadedAt: Date;
  /** `null`: made by a test. */
  readonly upload: BuildUpload | null;
  processingState: (typeof PROCESSING_STATES)[number];
  /** What processing ends with, after so many reads of the build. */
  finalState: Build['processingState'];
  pollsLeft: number;
  isExpired: boolean;
  usesNonExemptEncryption: boolean | null;
  /** Made with an Xcode that Apple has not released. */
  hasBetaSdk: boolean;
  review: BetaReview | null;
  readonly localizations: BuildLocalization[];
  /** How many calls about groups still answer 404. */
  groupsMissing: number;
}

export type NewBuild = Pick<Build, 'version' | 'buildNumber'> &
  Partial<Omit<Build, 'id' | 'app' | 'localizations' | 'version' | 'buildNumber'>>;

/** Adds a build to its app. Apple makes a text without words for each language of the Test Information. */
export function addBuild(app: AppleApp, values: NewBuild): Build {
  const build: Build = {
    id: randomUUID(),
    app,
    platform: 'IOS',
    sha256: '0'.repeat(64),
    size: 0,
    uploadedAt: new Date(),
    upload: null,
    processingState: 'VALID',
    finalState: 'VALID',
    pollsLeft: 0,
    isExpired: false,
    usesNonExemptEncryption: null,
    hasBetaSdk: false,
    review: null,
    groupsMissing: 0,
    ...values,
    localizations: [],
  };
  for (const { locale } of app.localizations) addLocalization(build, locale, null);
  app.builds.push(build);
  return build;
}

export function addLocalization(build: Build, locale: string, whatsNew: string | null): BuildLocalization {
  const localization = { id: randomUUID(), build, locale, whatsNew };
  build.localizations.push(localization);
  return localization;
}

/** A read of a build, which brings its processing forward. */
export function pollBuild(build: Build): Build {
  if (build.processingState !== 'PROCESSING') return build;
  if (build.pollsLeft > 0) build.pollsLeft -= 1;
  else build.processingState = build.finalState;
  return build;
}

export function expirationOf({ uploadedAt }: Build): Date {
  return new Date(uploadedAt.getTime() + LIFE);
}

/** `true` needs a declaration that Apple has approved. */
export function isComplianceOpen({ app, usesNonExemptEncryption }: Build): boolean {
  return usesNonExemptEncryption === null || (usesNonExemptEncryption && !app.hasEncryptionDeclaration);
}

const isIn = (build: Build, isInternal: boolean): boolean =>
  build.app.groups.some(
    (group) => group.isInternal === isInternal && (group.hasAccessToAllBuilds || group.builds.has(build.id)),
  );

function unprocessedState({ processingState, isExpired }: Build): string | null {
  if (isExpired) return 'EXPIRED';
  if (processingState === 'VALID') return null;
  return processingState === 'PROCESSING' ? 'PROCESSING' : 'PROCESSING_EXCEPTION';
}

/** AvdLee/appstoreconnect-swift-sdk, `InternalBetaState`. */
export function internalState(build: Build): string {
  const state = unprocessedState(build);
  if (state !== null) return state;
  if (isComplianceOpen(build)) return 'MISSING_EXPORT_COMPLIANCE';
  return isIn(build, true) ? 'IN_BETA_TESTING' : 'READY_FOR_BETA_TESTING';
}

const REVIEWED = {
  WAITING_FOR_REVIEW: 'WAITING_FOR_BETA_REVIEW',
  IN_REVIEW: 'IN_BETA_REVIEW',
  REJECTED: 'BETA_REJECTED',
  APPROVED: 'BETA_APPROVED',
} as const;

/** AvdLee/appstoreconnect-swift-sdk, `ExternalBetaState`. */
export function externalState(build: Build): string {
  const state = unprocessedState(build);
  if (state !== null) return state;
  if (isComplianceOpen(build)) return 'MISSING_EXPORT_COMPLIANCE';
  if (build.review === null) return 'READY_FOR_BETA_SUBMISSION';
  if (build.review.state === 'APPROVED' && isIn(build, false)) return 'IN_BETA_TESTING';
  return REVIEWED[build.review.state];
}
