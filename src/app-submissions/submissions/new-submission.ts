import type { Destination } from '../destinations/destination.entity.js';
import type { ReleaseAction, Submission, SubmittedArtifactType, SymbolFile } from './submission.entity.js';

/** The file that is submitted. */
export interface SubmittedArtifact {
  readonly id: string;
  readonly type: SubmittedArtifactType;
  readonly blobId: string;
  readonly sizeInBytes: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

/** What the API has read from the file. */
export type SubmittedFacts = Pick<
  Submission,
  'packageName' | 'versionName' | 'versionCode' | 'signerSha256' | 'usesNonExemptEncryption' | 'applePlatform'
>;

/** A submission that was checked against its destination. */
export interface NewSubmission {
  /** That of the deployment. */
  readonly id: string;
  /** `promote`: the store has the file, which may be gone here. */
  readonly action: 'submit' | 'promote';
  readonly destination: Destination;
  readonly artifact: SubmittedArtifact;
  readonly facts: SubmittedFacts;
  readonly symbolFiles: readonly SymbolFile[];
  /** By locale; `default` is for the default language. */
  readonly releaseNotes: Readonly<Record<string, string>> | null;
  /** Share of users that get a staged release, above 0; 1: all. */
  readonly userFraction: number;
  readonly inAppUpdatePriority: number | null;
  /** Whether it may cancel a review that runs. */
  readonly cancelsReview: boolean;
  /** With the Apple release type `scheduled`: when it goes live at the earliest; otherwise `null`. */
  readonly earliestReleaseAt: Date | null;
  /** Whether it waits for approvals: then one sentence that says for whose; `null`: it begins. */
  readonly waitsForApprovals: string | null;
  /** `null`: an automation. */
  readonly createdBy: string | null;
}

/** A change of a release that was checked. */
export interface ReleaseChange {
  readonly action: ReleaseAction;
  /** With `set-rollout`, the new share of users, 0 to 1. */
  readonly userFraction?: number;
  /** `null`: a plan. */
  readonly createdBy: string | null;
}
