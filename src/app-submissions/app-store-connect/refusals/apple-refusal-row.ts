import type { RefusalRow } from '../../calls/refusals/refusal-row.js';
import type { AppleCall } from '../api/apple-call.js';

/** How a refusal of App Store Connect is recognized, and what it means. */
export interface AppleRefusalRow extends Omit<RefusalRow, 'also'> {
  /** The calls that get it; absent: any. */
  readonly calls?: readonly AppleCall[];
  /** The code of one error is one of these, or begins with it and a dot. */
  readonly codes?: readonly string[];
  /** One of these is in the words of the same error, ignoring case. */
  readonly fragments?: readonly string[];
  /** The same error is about this member of the request. */
  readonly pointer?: string;
  /** At most 255 characters: the number of further problems may follow. A function takes what the errors say. */
  readonly sentence: string | ((said: string) => string);
}
