import {
  AppleError,
  invalidAttribute,
  invalidRelationship,
  item,
  lockedAttribute,
  noSubmission,
  refused,
  wrongState,
} from './apple-error.ts';
import { type Refusal, row } from './refusal.ts';
import { notAcceptable } from './resources/app-store/attach-build.ts';
import { missingError } from './resources/app-store/requirements.ts';
import { partOfAnother } from './resources/app-store/review-items.ts';
import { inProgress, notReady } from './resources/app-store/review-submissions.ts';
import type { Requirement } from './state/app-store/store-version.ts';

const NOTES = 'updateVersionLocalization,createVersionLocalization';
const NO_NEW_VERSION = 'You cannot create a new version of the App in the current state.';

const missing = (...requirements: Requirement[]): Refusal =>
  row('addReviewItem', () => missingError(requirements));

/** As the API answers for a version that exists: a response in the tests of rorkai/App-Store-Connect-CLI. */
function usedVersion(): AppleError {
  const title = 'The provided entity includes an attribute with a value that has already been used';
  const detail = 'The version number has been previously used.';
  return new AppleError([
    ...invalidRelationship('app', NO_NEW_VERSION).errors,
    item(409, 'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE', title, detail, {
      source: { pointer: '/data/attributes/versionString' },
    }),
  ]);
}

/** The code is that of the error around it: a response in the tests of rorkai/App-Store-Connect-CLI. */
function addedElsewhere(): AppleError {
  const detail = 'appStoreVersions with id 1 was already added to another reviewSubmission with id 2';
  const error = item(409, 'ENTITY_ERROR.RELATIONSHIP.INVALID', 'The item is invalid.', detail);
  const meta = { associatedErrors: { '/v1/reviewSubmissionItems': [error] } };
  return refused(
    409,
    'ENTITY_ERROR',
    'The request entity is not valid.',
    'An attribute value is not valid.',
    {
      meta,
    },
  );
}

/** What Apple refuses on the way to the App Store, by name: see `REFUSALS`. */
export const STORE_REFUSALS = {
  'another version': row('createStoreVersion', () => invalidRelationship('app', NO_NEW_VERSION)),
  'another version, by state': row('createStoreVersion', () => wrongState(NO_NEW_VERSION)),
  'used version': row('createStoreVersion', usedVersion),
  'locked version': row('updateStoreVersion', () => lockedAttribute('versionString')),
  'release date': row('updateStoreVersion,createStoreVersion', () =>
    invalidAttribute('earliestReleaseDate', 'The earliest release date must be on the hour.'),
  ),
  'build not added': row('attachBuild', notAcceptable),
  'version notes locked': row(NOTES, () => wrongState("Attribute 'whatsNew' cannot be edited at this time")),
  'version notes TOO_LONG': row(NOTES, () =>
    invalidAttribute('whatsNew', 'whatsNew must not be longer than 4000 characters.', '.TOO_LONG'),
  ),
  'version notes INVALID_CHARACTERS': row(NOTES, () =>
    invalidAttribute(
      'whatsNew',
      'What’s New can’t contain the following character(s): <.',
      '.INVALID_CHARACTERS',
    ),
  ),
  'no phased release': row('createPhasedRelease', () =>
    wrongState('The first version of an app can not have a phased release.'),
  ),
  'phased release has the value': row('updatePhasedRelease', () =>
    invalidAttribute('phasedReleaseState', 'The phased release already has this value'),
  ),
  'phased release is complete': row('updatePhasedRelease', () =>
    invalidAttribute('phasedReleaseState', 'The phased release is in its final state'),
  ),
  'another review': row('createReviewSubmission', () => inProgress('1')),
  ITEM_PART_OF_ANOTHER_SUBMISSION: row('addReviewItem', () => partOfAnother('1', '2')),
  'added elsewhere': row('addReviewItem', addedElsewhere),
  'item is there': row('addReviewItem', () =>
    invalidRelationship(
      'appStoreVersion',
      'Item is already present in this reviewSubmission',
      '.NOT_ALLOWED',
    ),
  ),
  APP_DATA_USAGES_REQUIRED: missing('privacy'),
  SCREENSHOT_REQUIRED: missing('screenshots'),
  'age rating missing': missing('age-rating'),
  APP_PRICING_REQUIRED: missing('pricing'),
  'contact missing': missing('contact'),
  'description missing': missing('description'),
  'keywords missing': missing('keywords'),
  'support URL missing': missing('support-url'),
  'content rights missing': missing('content-rights'),
  'category missing': missing('category'),
  'much missing': missing('privacy', 'screenshots', 'contact', 'category'),
  'not ready': row('updateReviewSubmission', notReady),
  'unknown review': row('updateReviewSubmission,addReviewItem,reviewItems,reviewSubmission', () =>
    noSubmission('1'),
  ),
  'attachments in progress': row('updateReviewSubmission', () =>
    wrongState('Attachment uploads still in progress'),
  ),
  'not cancelable': row('updateReviewSubmission', () =>
    wrongState(
      'reviewSubmissions with id 1 is not in a state in which it can be canceled: COMPLETE.',
      'STATE_ERROR.ENTITY_STATE_INVALID',
    ),
  ),
  'not releasable': row('releaseVersion', () =>
    wrongState(
      'The version is not in a state in which it can be released, but in IN_REVIEW.',
      'STATE_ERROR.ENTITY_STATE_INVALID',
    ),
  ),
} satisfies Record<string, Refusal>;
