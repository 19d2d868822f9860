import type { ApplePlatform } from '../../common/apple-platforms.js';
import type { BlobsService } from '../../storage/blobs/blobs.service.js';
import { refused } from '../calls/refusals/refusal.js';
import type { SealedUploads } from '../flow/sealed-uploads.service.js';
import type { SubmissionRun } from '../flow/submission-run.js';
import type { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { ReleaseAction, Submission } from '../submissions/submission.entity.js';
import type { BetaGroup, BuildVersion } from './api/apple-resources.js';
import type { AppleAccounts, AppleBeginning } from './apple-accounts.service.js';
import { pageOf } from './apple-pages.js';

/** What flows of App Store Connect use of the server. */
export interface Connect {
  readonly accounts: AppleAccounts;
  readonly progress: SubmissionProgress;
  readonly sealed: SealedUploads;
  readonly blobs: BlobsService;
}

/** What the upload of a build stores. */
export interface UploadState {
  /** The uploads of this number before its own one was created: any other one is its own, also after a lost answer. */
  readonly knownUploads: readonly string[];
  readonly buildUploadId: string;
  /** The file was announced; without `fileId`, the answer was lost. */
  readonly hasBegunFile: boolean;
  readonly fileId: string;
  /** How many parts from the first one on were sent. */
  readonly sentParts: number;
}

/** What the flow of a build stores on its way to testers. */
export interface TestFlightState extends AppleBeginning, UploadState {
  /** Of the app in App Store Connect. */
  readonly appleAppId: string;
  readonly primaryLocale: string | null;
  /** Of the app in TestFlight. */
  readonly locales: readonly string[];
  /** Those that get the build. */
  readonly groups: readonly BetaGroup[];
  /** How many uploads it has had. */
  readonly uploads: number;
  /** It continues with the upload of an earlier submission of the same file, and has no upload itself. */
  readonly isAdopted: boolean;
  /** How often it was asked whether the end of the upload has arrived. */
  readonly confirmations: number;
  /** Apple has the whole file. */
  readonly isDelivered: boolean;
  /** Apple has refused the file after the upload. */
  readonly isRejected: boolean;
  /** When Apple began to process, in ISO 8601. */
  readonly processingSince: string;
  /** What Apple said last about the processing. */
  readonly processingState: string;
  /** How often that was asked. */
  readonly polls: number;
  readonly buildId: string;
  /** How often Apple has named another build. */
  readonly otherBuilds: number;
  /** How often export compliance was looked at. */
  readonly complianceLooks: number;
  /** The locales whose notes were written. */
  readonly writtenNotes: readonly string[];
  /** The state of Apple's beta review; absent: it needs none. */
  readonly reviewState: string;
  /** Ids of the groups that have the build. */
  readonly doneGroups: readonly string[];
}

/** What the flow of a build stores on its way to the review of the App Store, which begins behind TestFlight. */
export interface ReviewState extends TestFlightState {
  /** The version in the App Store. */
  readonly versionId: string;
  /** A version was about to be created. */
  readonly hasBegunVersion: boolean;
  /** No version of the app was live before. */
  readonly isFirstVersion: boolean;
  /** Since when it waits until the version can be changed, in ISO 8601. */
  readonly roomSince: string;
  /** Ids of the review submissions that it has canceled. */
  readonly canceledReviews: readonly string[];
  /** The locales whose texts of the version were written. */
  readonly writtenTexts: readonly string[];
  /** What goes to the review. */
  readonly reviewSubmissionId: string;
  /** How often the version was part of another review submission. */
  readonly reviewRestarts: number;
  /** How often it was asked whether the review has begun. */
  readonly reviewConfirmations: number;
}

/** What the flow of a change of a release stores. */
export interface ChangeState {
  /** When the change was asked for first, in ISO 8601. */
  readonly requestedAt: string;
  /** Since when it waits for the end of the review, in ISO 8601. */
  readonly roomSince: string;
}

/** The steps of `submit`, in their order. `groups` stands there twice. */
export type SubmitStep =
  | 'check'
  | 'upload'
  | 'deliver'
  | 'processing'
  | 'compliance'
  | 'notes'
  | 'groups'
  | 'review'
  | 'version'
  | 'attach'
  | 'whats-new'
  | 'submit-review';

export type TestFlightRun = SubmissionRun<TestFlightState, SubmitStep>;
export type ReviewRun = SubmissionRun<ReviewState, SubmitStep>;
/** A change of a release has one step, which is called as its action. */
export type ChangeRun = SubmissionRun<ChangeState, ReleaseAction>;

/** What a flow has stored. */
export function stateOf({ external }: Pick<Submission, 'external'>): Partial<ReviewState> {
  return external;
}

/** A part of what a flow has stored. @throws Error when it is absent */
export function reached<K extends keyof ReviewState>(
  submission: Pick<Submission, 'external' | 'id'>,
  name: K,
): NonNullable<ReviewState[K]> {
  const value = stateOf(submission)[name];
  if (value !== undefined && value !== null) return value as NonNullable<ReviewState[K]>;
  throw new Error(`The submission ${submission.id} has no ${name} at this step.`);
}

/** Version, build number and platform of a submission. @throws StoreRefusal when it lacks one */
export function buildOf({ versionName, versionCode, applePlatform }: Submission): BuildVersion & {
  readonly platform: ApplePlatform;
} {
  if (versionName !== null && applePlatform !== null)
    return { version: versionName, buildNumber: versionCode, platform: applePlatform };
  throw refused(
    'version_missing',
    'App Store Connect takes no ipa without CFBundleShortVersionString, or for an unknown platform. Set it, build again and submit that build.',
  );
}

/** The page of the build in App Store Connect. */
export function linkOf(submission: Pick<Submission, 'external' | 'id' | 'applePlatform'>): string {
  const { buildUploadId } = stateOf(submission);
  return pageOf(reached(submission, 'appleAppId'), submission.applePlatform, buildUploadId);
}
