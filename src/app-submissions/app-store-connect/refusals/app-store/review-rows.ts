import { linkedTo } from '../../../calls/refusals/refusal-row.js';
import { CONNECT_APPS } from '../apple-pages.js';
import type { AppleRefusalRow } from '../apple-refusal-row.js';

export const REVIEW_ROWS: readonly AppleRefusalRow[] = linkedTo(CONNECT_APPS, [
  {
    code: 'review_in_progress',
    calls: ['create-review'],
    fragments: ['another reviewSubmission', 'in progress'],
    sentence:
      'Another submission for review of this app is in progress. Wait until it ends, or cancel it in App Store Connect; then submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
  },
  {
    code: 'item_in_other_review',
    calls: ['add-item'],
    codes: ['STATE_ERROR.ITEM_PART_OF_ANOTHER_SUBMISSION'],
    sentence:
      'The version is part of an older submission for review. Slipway cancels that one and tries again; if that does not help, cancel it in App Store Connect, and submit this build again.',
    retry: 'again',
    afterSeconds: 5,
  },
  {
    code: 'item_in_other_review',
    calls: ['add-item'],
    codes: ['ENTITY_ERROR.RELATIONSHIP.INVALID'],
    fragments: ['already added to another'],
    sentence:
      'The version is part of an older submission for review. Slipway cancels that one and tries again; if that does not help, cancel it in App Store Connect, and submit this build again.',
    retry: 'again',
    afterSeconds: 5,
  },
  {
    code: 'item_in_review',
    calls: ['add-item'],
    codes: ['ENTITY_ERROR.RELATIONSHIP.INVALID.NOT_ALLOWED'],
    sentence: 'The version is in this submission for review already; you have nothing to do.',
    does: 'done',
  },
  {
    code: 'item_removed',
    calls: ['remove-item'],
    status: 404,
    sentence: 'The version is not in the submission for review any more; you have nothing to do.',
    does: 'done',
  },
  {
    code: 'review_not_ready',
    calls: ['submit-review'],
    fragments: ['not ready to be submitted yet', 'Attachment uploads still in progress'],
    sentence:
      'App Store Connect is not ready to take the submission for review. Slipway tries again; after too many attempts, look at the version in App Store Connect, and submit this build again: nothing is uploaded twice.',
    retry: 'again',
    does: 'wait-for-processing',
  },
  {
    code: 'review_not_ready',
    calls: ['submit-review'],
    status: 404,
    sentence:
      'App Store Connect does not find the submission for review that it has just shown. Slipway tries again; after too many attempts, submit this build again later: nothing is uploaded twice.',
    retry: 'again',
    does: 'wait-for-processing',
  },
  {
    code: 'review_not_cancelable',
    calls: ['cancel-review'],
    status: 409,
    sentence:
      'App Store Connect does not take the version out of the review now: the review may have ended. See in App Store Connect where it is, and try again.',
    retry: 'after-action',
  },
]);

/** When no error says what is missing. After `REVIEW_NEEDS`. */
export const REVIEW_STATE_ROWS: readonly AppleRefusalRow[] = linkedTo(CONNECT_APPS, [
  {
    code: 'review_incomplete',
    calls: ['add-item', 'submit-review'],
    codes: ['STATE_ERROR.ENTITY_STATE_INVALID'],
    sentence:
      'The version is not complete for the review. The log has what App Store Connect misses: settle it there, then submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
  },
]);
