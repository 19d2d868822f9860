import type { Submission } from '../../../submissions/submission.entity.js';

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
}

/** What a submission has reached. */
export function progressOf({ external }: Pick<Submission, 'external'>): PlayProgress {
  return external as PlayProgress;
}

/** What stays when the edit is gone: the next one begins with nothing. */
export function withoutEdit(progress: PlayProgress): PlayProgress {
  const { keyId, wasShown, isNotSentForReview, reviewChanges, edits, acknowledgesSizeWarning } = progress;
  return {
    ...(keyId !== undefined && { keyId }),
    ...(wasShown !== undefined && { wasShown }),
    ...(isNotSentForReview !== undefined && { isNotSentForReview }),
    ...(reviewChanges !== undefined && { reviewChanges }),
    ...(edits !== undefined && { edits }),
    ...(acknowledgesSizeWarning !== undefined && { acknowledgesSizeWarning }),
  };
}

/** The open edit. @throws Error when there is none */
export function editOf(submission: Pick<Submission, 'external' | 'id'>): string {
  const { editId } = progressOf(submission);
  if (editId === undefined) throw new Error(`The submission ${submission.id} has no edit at this step.`);
  return editId;
}
