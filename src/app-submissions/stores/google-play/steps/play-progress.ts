import type { Submission } from '../../../submissions/submission.entity.js';

/** Edits of one submission. */
export const MAX_EDITS = 5;

/** What a submission to Google Play has reached: `external` of its row. */
export interface PlayProgress {
  /** The key that it began with. */
  readonly keyId?: string;
  /** The track had the version before, maybe with another share of users. */
  readonly wasShown?: boolean;
  /** The edit that it works in. */
  readonly editId?: string;
  /** Of the app in the store. */
  readonly defaultLanguage?: string;
  /** Of the store listing. */
  readonly languages?: readonly string[];
  /** The edit has the file. */
  readonly hasFile?: boolean;
  /** How many symbol files were sent. */
  readonly sentSymbolFiles?: number;
  /** The user has accepted that devices warn of the size: there is no other way. */
  readonly acknowledgesSizeWarning?: boolean;
  /** Google takes the changes only when a person sends them for review. */
  readonly isNotSentForReview?: boolean;
  /** How often what Google wants about reviews has changed. */
  readonly reviewChanges?: number;
  /** How many edits it has had. */
  readonly edits?: number;
  /** How often the release was asked for after a lost answer. */
  readonly confirmations?: number;
  /** The last edit in which the share of a release was changed, maybe without a commit. */
  readonly writtenEditId?: string;
  /** While the rollout is halted, the share that it had before. */
  readonly resumeFraction?: number;
}

/** What a submission has reached. */
export function progressOf({ external }: Pick<Submission, 'external'>): PlayProgress {
  return external as PlayProgress;
}

/** What an edit has, or what it shows. */
const OF_EDIT: readonly (keyof PlayProgress)[] = [
  'editId',
  'defaultLanguage',
  'languages',
  'hasFile',
  'sentSymbolFiles',
  'confirmations',
];

/** What stays when the edit is gone: the next one begins with nothing. */
export function withoutEdit(progress: PlayProgress): PlayProgress {
  return Object.fromEntries(
    Object.entries(progress).filter(([name]) => !OF_EDIT.some((one) => one === name)),
  );
}

/** The open edit. @throws Error when there is none */
export function editOf(submission: Pick<Submission, 'external' | 'id'>): string {
  const { editId } = progressOf(submission);
  if (editId === undefined) throw new Error(`The submission ${submission.id} has no edit at this step.`);
  return editId;
}
