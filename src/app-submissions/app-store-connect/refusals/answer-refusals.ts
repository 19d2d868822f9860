import { StoreRefusal } from '../../calls/refusals/refusal.js';
import { readAppleErrors } from './apple-error.js';
import { UNUSABLE } from './general-refusals.js';

/** The error of an answer that has another form than the API documents. */
export function unusable(status: number, text: string): StoreRefusal {
  return new StoreRefusal(UNUSABLE, status, readAppleErrors(text).message);
}
