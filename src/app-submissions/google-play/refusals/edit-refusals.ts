import { PLAY_CONSOLE } from './play-pages.js';
import type { RefusalRow } from '../../calls/refusals/refusal-row.js';

/** The state of the edit, and reviews of what is committed. */
export const EDIT_REFUSALS: readonly RefusalRow[] = [
  {
    code: 'edit_lost',
    fragments: ['edit has been deleted', 'edit has expired'],
    sentence:
      'Another edit, a change in the Play Console or its age has ended the edit. Slipway begins again with a new one; if that happens too often, make no changes to the app elsewhere and submit again.',
    retry: 'again',
    does: 'new-edit',
  },
  {
    code: 'edit_committed',
    fragments: ['already been successfully committed'],
    sentence:
      'The edit has been committed already. If the release is on its track, it is done; a retry does not help.',
    does: 'done',
  },
  {
    code: 'concurrent_update',
    fragments: ['concurrentUpdate'],
    sentence:
      'Google Play is busy with another change of this app. Slipway waits and tries again; after too many attempts, make no changes to the app elsewhere and submit again.',
    retry: 'again',
    does: 'back-off',
    afterSeconds: 10,
  },
  {
    code: 'changes_in_review',
    fragments: ['CHANGES_ALREADY_IN_REVIEW'],
    sentence:
      'Changes of this app are in review. Wait until the review ends and submit again, or submit with cancelRunningReview, which cancels that review and sends all changes together.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'changes_not_sent_for_review',
    fragments: ['changesNotSentForReview to true'],
    sentence:
      'After a rejection, Google Play takes changes only without sending them for review. Slipway commits so; then send them for review in the Play Console under "Publishing overview".',
    retry: 'again',
    link: PLAY_CONSOLE,
    does: 'not-sent-for-review',
  },
  {
    code: 'changes_are_sent_for_review',
    fragments: ['changesNotSentForReview must not be set'],
    sentence:
      'Google Play sends the changes for review by itself. Slipway commits again accordingly; you have nothing to do.',
    retry: 'again',
    does: 'send-for-review',
  },
  {
    code: 'upload_being_processed',
    fragments: ['uploads are not completed yet'],
    sentence:
      'Google Play still unpacks the uploaded file. Slipway waits and tries again in the same edit; after too many attempts, submit again later.',
    retry: 'again',
    does: 'wait-for-processing',
    afterSeconds: 2,
  },
];
