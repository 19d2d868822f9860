import type { Submission } from '../../../submissions/submission.entity.js';
import type { SubmissionChanges } from '../../../submission-steps/submission-run.js';
import type { BetaGroup } from '../apple-resources.js';
import { pageOf } from '../testflight-builds/testflight-texts.js';

/** What a destination named when a submission to App Store Connect began: it must not change since. */
export interface AppleBeginning {
  /** The uploaded `.p8`. */
  readonly keyId: string;
  /** Apple's id of the key. */
  readonly apiKeyId: string;
  /** `null`: an individual key. */
  readonly issuerId: string | null;
  /** `null`: the bundle id finds the app. */
  readonly wantedAppId: string | null;
}

/** What a submission to App Store Connect has reached: `external` of its row. */
export interface AppleProgress extends Partial<AppleBeginning> {
  /** Of the app in App Store Connect. */
  readonly appleAppId?: string;
  readonly primaryLocale?: string | null;
  /** Of the app in TestFlight. */
  readonly locales?: readonly string[];
  /** Those that get the build. */
  readonly groups?: readonly BetaGroup[];
  /** The uploads of this number before its own one was created: any other one is its own, also after a lost answer. */
  readonly knownUploads?: readonly string[];
  readonly buildUploadId?: string;
  /** The file was announced; without `fileId`, the answer was lost. */
  readonly hasBegunFile?: boolean;
  readonly fileId?: string;
  /** How many parts from the first one on were sent. */
  readonly sentParts?: number;
  /** How many uploads it has had. */
  readonly uploads?: number;
  /** It continues with the upload of an earlier submission of the same file, and has no upload itself. */
  readonly isAdopted?: boolean;
  /** How often it was asked whether the end of the upload has arrived. */
  readonly confirmations?: number;
  /** Apple has the whole file. */
  readonly isDelivered?: boolean;
  /** Apple has refused the file after the upload. */
  readonly isRejected?: boolean;
  /** When Apple began to process, in ISO 8601. */
  readonly processingSince?: string;
  /** What Apple said last about the processing. */
  readonly processingState?: string;
  /** How often that was asked. */
  readonly polls?: number;
  readonly buildId?: string;
  /** How often Apple has named another build. */
  readonly otherBuilds?: number;
  /** How often export compliance was looked at. */
  readonly complianceLooks?: number;
  /** The locales whose notes were written. */
  readonly writtenNotes?: readonly string[];
  /** The state of Apple's beta review; absent: it needs none. */
  readonly reviewState?: string;
  /** Ids of the groups that have the build. */
  readonly doneGroups?: readonly string[];
  /** The version in the App Store. */
  readonly versionId?: string;
  /** A version was about to be created. */
  readonly hasBegunVersion?: boolean;
  /** No version of the app was live before. */
  readonly isFirstVersion?: boolean;
  /** Since when it waits until the version can be changed, in ISO 8601. */
  readonly roomSince?: string;
  /** Ids of the review submissions that it has canceled. */
  readonly canceledReviews?: readonly string[];
  /** The locales whose texts of the version were written. */
  readonly writtenTexts?: readonly string[];
  /** What goes to the review. */
  readonly reviewSubmissionId?: string;
  /** How often the version was part of another review submission. */
  readonly reviewRestarts?: number;
  /** How often it was asked whether the review has begun. */
  readonly reviewConfirmations?: number;
  /** Of a change: when it was asked for first, in ISO 8601. */
  readonly requestedAt?: string;
}

/** What a submission has reached. */
export function progressOf({ external }: Pick<Submission, 'external'>): AppleProgress {
  return external as AppleProgress;
}

/** What is about one upload: the next one begins without it. */
const OF_UPLOAD: ReadonlySet<string> = new Set<keyof AppleProgress>([
  'knownUploads',
  'buildUploadId',
  'hasBegunFile',
  'fileId',
  'sentParts',
]);

/** What is written for a submission to begin its upload again. */
export function withoutUpload({ external }: Pick<Submission, 'external'>): SubmissionChanges {
  const rest = Object.entries(external).filter(([name]) => !OF_UPLOAD.has(name));
  return { external: Object.fromEntries(rest), sealedUpload: null, sentBytes: 0 };
}

/** A member of `external` that an earlier step has written. @throws Error when it is absent */
export function reached<K extends keyof AppleProgress>(
  submission: Pick<Submission, 'external' | 'id'>,
  name: K,
): NonNullable<AppleProgress[K]> {
  const value = progressOf(submission)[name];
  if (value === undefined || value === null) {
    throw new Error(`The submission ${submission.id} has no ${name} at this step.`);
  }
  return value;
}

/** The page of the build in App Store Connect. */
export function linkOf(submission: Pick<Submission, 'external' | 'id' | 'applePlatform'>): string {
  const { buildUploadId } = progressOf(submission);
  return pageOf(reached(submission, 'appleAppId'), submission.applePlatform, buildUploadId);
}
