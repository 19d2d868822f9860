import { linkedTo } from '../../calls/refusals/refusal-row.js';
import { CONNECT_APPS } from '../apple-pages.js';
import type { AppleRefusalRow } from './apple-refusal-row.js';

/** A version in the App Store: its settings, its build, its texts. */
export const VERSION_ROWS: readonly AppleRefusalRow[] = linkedTo(CONNECT_APPS, [
  {
    code: 'version_used',
    calls: ['create-version', 'edit-version'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE'],
    sentence:
      'The App Store has had this version already. Raise CFBundleShortVersionString, build again and submit that build; a retry does not help.',
  },
  {
    code: 'version_open',
    calls: ['create-version'],
    codes: ['ENTITY_ERROR.RELATIONSHIP.INVALID'],
    pointer: 'app',
    sentence:
      'Another version of the app is open or in review. Finish it in App Store Connect, or take it out of the review there; then submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
  },
  {
    code: 'version_open',
    calls: ['create-version'],
    codes: ['STATE_ERROR'],
    sentence:
      'The app takes no new version now, often because another one is open or in review. Finish that one in App Store Connect; then submit this build again: nothing is uploaded twice.',
    retry: 'after-action',
  },
  {
    code: 'release_date_refused',
    calls: ['create-version', 'edit-version'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID'],
    pointer: 'earliestReleaseDate',
    sentence:
      'Apple does not take appleEarliestReleaseDate: it has to be a whole hour in the future. Submit this build again with another date: nothing is uploaded twice.',
    retry: 'after-action',
    link: null,
  },
  {
    code: 'version_locked',
    calls: ['edit-version'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE'],
    sentence:
      'App Store Connect does not let the version be changed. Slipway tries again; after too many attempts, take it out of its review in App Store Connect, and submit this build again.',
    retry: 'again',
    afterSeconds: 5,
  },
  {
    code: 'version_locked',
    calls: ['edit-version'],
    fragments: ['can not be modified', 'cannot be modified'],
    sentence:
      'App Store Connect does not let the version be changed. Slipway tries again; after too many attempts, take it out of its review in App Store Connect, and submit this build again.',
    retry: 'again',
    afterSeconds: 5,
  },
  {
    code: 'build_not_attachable',
    calls: ['attach-build'],
    codes: ['ENTITY_ERROR.RELATIONSHIP.INVALID'],
    fragments: ['could not be added'],
    sentence:
      'The version does not take the build. Slipway tries again, as a fresh build needs a moment. If that goes on, see in App Store Connect whether it lacks an answer on encryption, is internal only, or has another version; then submit again.',
    retry: 'again',
    afterSeconds: 15,
  },
  {
    code: 'whats_new_locked',
    calls: ['whats-new'],
    fragments: ['cannot be edited at this time'],
    sentence: "The version takes no What's New now, so it gets none; a retry does not help.",
    does: 'done',
  },
  {
    code: 'whats_new_too_long',
    calls: ['whats-new'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.TOO_LONG'],
    sentence:
      "What's New of the version is longer than 4,000 characters. Shorten the release notes and submit this build again: nothing is uploaded twice.",
    retry: 'after-action',
    link: null,
  },
  {
    code: 'whats_new_characters',
    calls: ['whats-new'],
    codes: ['ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_CHARACTERS'],
    sentence:
      "What's New of the version has characters that Apple does not take: the log has its words about them. Remove them from the release notes and submit this build again: nothing is uploaded twice.",
    retry: 'after-action',
    link: null,
  },
]);

/** How an approved version reaches its users. */
export const ROLLOUT_ROWS: readonly AppleRefusalRow[] = linkedTo(CONNECT_APPS, [
  {
    code: 'phased_release_same',
    calls: ['phased-release'],
    fragments: ['already has this value', 'already exists'],
    sentence: 'The phased release is like that already; you have nothing to do.',
    does: 'done',
  },
  {
    code: 'phased_release_ended',
    calls: ['phased-release'],
    fragments: ['final state'],
    sentence: 'The phased release is complete: all users get the version. A retry does not help.',
    does: 'done',
  },
  {
    code: 'phased_release_missing',
    calls: ['phased-release'],
    status: 404,
    sentence:
      'The version has no phased release, so all users get it at once. The first version of an app never has one; a retry does not help.',
  },
  {
    code: 'phased_release_refused',
    calls: ['phased-release'],
    status: 409,
    sentence:
      'App Store Connect does not let the phased release be changed now. See there where the version is, and try again: only a live one can be paused, resumed or completed, and all pauses together last 30 days at most.',
    retry: 'after-action',
  },
  {
    code: 'release_refused',
    calls: ['release-version'],
    status: 409,
    sentence:
      'App Store Connect does not release the version now. Only an approved version that waits for you can be released: see in App Store Connect where it is, and try again.',
    retry: 'after-action',
  },
]);

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
