import { randomUUID } from 'node:crypto';
import type { AppleApp, Platform } from '../connect-state.ts';
import type { StoreVersion } from './store-version.ts';

/** AvdLee/appstoreconnect-swift-sdk, `ReviewSubmission` and `ReviewSubmissionItem`. */
export const SUBMISSION_STATES = [
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'UNRESOLVED_ISSUES',
  'CANCELING',
  'COMPLETING',
  'COMPLETE',
] as const;
type ItemState = 'READY_FOR_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REJECTED' | 'REMOVED';

/** A version in a review submission. */
export interface ReviewItem {
  readonly id: string;
  readonly submission: ReviewSubmission;
  readonly version: StoreVersion;
  state: ItemState;
  /** After a rejection: what was wrong is mended. */
  isResolved: boolean;
}

/** What App Review gets. */
export interface ReviewSubmission {
  readonly id: string;
  readonly app: AppleApp;
  readonly platform: Platform;
  state: (typeof SUBMISSION_STATES)[number];
  submittedAt: Date | null;
  readonly items: ReviewItem[];
  /** How many reads still find it in `CANCELING` or `COMPLETING`; `Infinity`: all. */
  readsUntilComplete: number;
}

export function addReviewSubmission(app: AppleApp, platform: Platform): ReviewSubmission {
  const submission: ReviewSubmission = {
    id: randomUUID(),
    app,
    platform,
    state: 'READY_FOR_REVIEW',
    submittedAt: null,
    items: [],
    readsUntilComplete: 0,
  };
  app.reviewSubmissions.push(submission);
  return submission;
}

export function addItem(submission: ReviewSubmission, version: StoreVersion): ReviewItem {
  const item: ReviewItem = {
    id: randomUUID(),
    submission,
    version,
    state: 'READY_FOR_REVIEW',
    isResolved: false,
  };
  submission.items.push(item);
  return item;
}

/** The item by which a submission holds a version, also after a rejection: until the submission is complete. */
export function holderOf(version: StoreVersion): ReviewItem | undefined {
  return version.app.reviewSubmissions
    .filter(({ state }) => state !== 'COMPLETE')
    .flatMap(({ items }) => items)
    .find((item) => item.version === version && item.state !== 'REMOVED');
}
