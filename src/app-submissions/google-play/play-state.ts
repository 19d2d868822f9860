import type { SubmissionRun } from '../flow/submission-run.js';
import type { Submission } from '../submissions/submission.entity.js';
import { refused } from '../calls/refusals/refusal.js';

/** Steps that commit an edit: see `commit.ts`. */
type CommitStep = 'validate' | 'commit' | 'confirm';
/** Steps of a release: see `submit.ts`. */
type SubmitStep = 'check' | 'edit' | 'upload' | 'symbols' | 'track' | CommitStep;
/** Steps of a change of a share: see `set-rollout.ts`. */
type RolloutStep = 'set-rollout' | CommitStep;

/** What every flow of Google Play stores: what is about its edit, and about the commit of it. */
export interface EditState {
  /** The key that it began with. */
  readonly keyId: string;
  /** The edit that it works in. */
  readonly editId: string;
  /** How many edits it has had. */
  readonly edits: number;
  /** Google takes the changes only when a person sends them for review. */
  readonly isNotSentForReview: boolean;
  /** How often what Google wants about reviews has changed. */
  readonly reviewChanges: number;
  /** How often Google has said what became of the release after a lost answer. */
  readonly confirmations: number;
}

/** What the flow of a release stores. */
export interface SubmitState extends EditState {
  /** The track had the version before, maybe with another share of users. */
  readonly wasShown: boolean;
  /** Of the app in the store. */
  readonly defaultLanguage: string;
  /** Of the store listing. */
  readonly languages: readonly string[];
  /** The edit has the file. */
  readonly hasFile: boolean;
  /** How many symbol files were sent. */
  readonly sentSymbolFiles: number;
  /** The user has accepted that devices warn of the size: there is no other way. */
  readonly acknowledgesSizeWarning: boolean;
}

/** What the flow of a change of a share stores. */
export interface RolloutState extends EditState {
  /** The last edit in which the share was changed, maybe without a commit. */
  readonly writtenEditId: string;
  /** While the rollout is halted, the share that it had before. */
  readonly resumeFraction: number;
}

export type EditRun = SubmissionRun<EditState, CommitStep>;
export type SubmitRun = SubmissionRun<SubmitState, SubmitStep>;
export type RolloutRun = SubmissionRun<RolloutState, RolloutStep>;
/** A run of either flow. */
export type PlayRun = SubmissionRun<SubmitState & RolloutState, SubmitStep | RolloutStep>;

/** What a flow has stored. */
export function stateOf({ external }: Pick<Submission, 'external'>): Partial<SubmitState & RolloutState> {
  return external;
}

/** The track of a submission. @throws StoreRefusal */
export function trackOf({ track }: Submission): string {
  if (track !== null) return track;
  throw refused(
    'track_missing',
    'The destination names no track. Set googlePlayTrack of the destination and submit again.',
  );
}
