import { agreementMissing, forbidden, notAuthorized } from './api-keys.ts';
import {
  AppleError,
  type ErrorDetails,
  invalidAttribute,
  item,
  noResource,
  pointerTo,
  refused,
  unprocessable,
  wrongState,
} from './apple-error.ts';
import { rateLimited } from './rate-limits.ts';
import { type Refusal, row } from './refusal.ts';
import { STORE_REFUSALS } from './store-refusals.ts';

const REQUIRED = 'The provided entity is missing a required attribute';
const ENCRYPTION = pointerTo('/data/attributes/usesNonExemptEncryption');
const UNEXPECTED = 'An unexpected error occurred.';
const UNEXPECTED_DETAIL =
  'An unexpected error occurred on the server side. If this issue continues, contact us at https://developer.apple.com/contact/.';

const unexpected = (status: number): AppleError =>
  refused(status, 'UNEXPECTED_ERROR', UNEXPECTED, UNEXPECTED_DETAIL);

const required = (
  attribute: string,
  more: ErrorDetails = pointerTo(`/data/attributes/${attribute}`),
): AppleError =>
  refused(
    409,
    'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
    REQUIRED,
    `You must provide a value for the attribute '${attribute}' with this request`,
    more,
  );

/** As of an item of a review: the reasons are in `associatedErrors`. Facts: fastlane/fastlane, `api_client.rb`. */
function associated(): AppleError {
  const errors = [
    item(
      409,
      'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
      REQUIRED,
      "You must provide a value for 'usesNonExemptEncryption'",
      ENCRYPTION,
    ),
    item(
      422,
      'ENTITY_UNPROCESSABLE.BETA_CONTRACT_MISSING',
      'Beta contract is missing.',
      'Beta contract is missing for the app.',
    ),
  ];
  return refused(
    409,
    'STATE_ERROR.ENTITY_STATE_INVALID',
    'builds is not in valid state.',
    'This resource cannot be reviewed, please check associated errors to see why.',
    { meta: { associatedErrors: { '/v1/builds/1': errors } } },
  );
}

/**
 * What Apple refuses, by name. Codes and words: fastlane/fastlane (`deliver/…/submit_for_review.rb`,
 * `connect_api/api_client.rb`), tramlinehq/applelink (`spaceship/wrapper_error.rb`), rorkai/App-Store-Connect-CLI
 * (`internal/cli/submit`), expo/eas-cli (`AscApiUtils.ts`), and logs in public issues. Where only a part of a sentence is
 * known, the rest is made up.
 */
export const TESTFLIGHT_REFUSALS = {
  NOT_AUTHORIZED: row('apps,buildUpload,commitFile', notAuthorized),
  'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED': row(
    'apps,createBuildUpload,betaReview',
    agreementMissing,
  ),
  FORBIDDEN_ERROR: row('createBuildUpload,betaReview,addToGroup', () => forbidden()),
  'no active membership': row('apps,createBuildUpload', () =>
    forbidden('The team has no active membership in the Apple Developer Program.'),
  ),
  NOT_FOUND: row('app,buildUpload,addToGroup', () => noResource('apps', '1')),
  'duplicate build number': row('createBuildUpload', () =>
    invalidAttribute('cfBundleVersion', "The build number '42' has already been used.", '.DUPLICATE'),
  ),
  'invalid version': row('createBuildUpload', () =>
    invalidAttribute('cfBundleShortVersionString', "'1.4.0' is not valid."),
  ),
  'already set': row('updateBuild', () =>
    invalidAttribute('usesNonExemptEncryption', 'You cannot update when the value is already set.'),
  ),
  'encryption required': row('betaReview', () => required('usesNonExemptEncryption')),
  MISSING_EXPORT_COMPLIANCE: row('betaReview', () =>
    unprocessable('The build is missing export compliance.', '.MISSING_EXPORT_COMPLIANCE'),
  ),
  'invalid processing state': row('betaReview,addToGroup', () =>
    unprocessable('The build is not in a valid processing state for this operation.'),
  ),
  'cannot be edited': row('updateLocalization,createLocalization', () =>
    wrongState("Attribute 'whatsNew' cannot be edited at this time"),
  ),
  TOO_LONG: row('updateLocalization,createLocalization', () =>
    invalidAttribute('whatsNew', 'whatsNew must not be longer than 4000 characters.', '.TOO_LONG'),
  ),
  INVALID_CHARACTERS: row('updateLocalization,createLocalization', () =>
    invalidAttribute(
      'whatsNew',
      'What’s New can’t contain the following character(s): <.',
      '.INVALID_CHARACTERS',
    ),
  ),
  'unknown locale': row('createLocalization', () =>
    invalidAttribute('locale', 'The language specified is not listed for localization'),
  ),
  'duplicate locale': row('createLocalization', () =>
    invalidAttribute('locale', "The locale 'en-US' has already been used.", '.DUPLICATE'),
  ),
  'EU.ANOTHER_BUILD_IN_REVIEW': row('betaReview', () =>
    unprocessable('Another build is in review.', '.ANOTHER_BUILD_IN_REVIEW'),
  ),
  'EU.INVALID_QC_STATE': row('betaReview', () =>
    unprocessable('The build is in an invalid state for beta review.', '.INVALID_QC_STATE'),
  ),
  'EU.SUBMISSION_LIMIT_REACHED': row('betaReview', () =>
    unprocessable('The maximum number of builds has been submitted.', '.SUBMISSION_LIMIT_REACHED'),
  ),
  'EU.BETA_CONTRACT_MISSING': row('betaReview', () =>
    unprocessable('Beta contract is missing for the app.', '.BETA_CONTRACT_MISSING'),
  ),
  'beta description missing': row('betaReview', () => unprocessable('Beta App Description is missing.')),
  'EU.BUILD_SDK_NOT_ALLOWED_FOR_EXTERNAL_TESTING': row('betaReview', () =>
    unprocessable(
      'The build was made with an SDK that is not allowed for external testing.',
      '.BUILD_SDK_NOT_ALLOWED_FOR_EXTERNAL_TESTING',
    ),
  ),
  'not externally assignable': row('addToGroup', () =>
    refused(
      422,
      'ENTITY_UNPROCESSABLE',
      'Build is not assignable.',
      'Build is not in an externally assignable state.',
    ),
  ),
  'internal group': row('addToGroup', () =>
    refused(
      422,
      'ENTITY_UNPROCESSABLE',
      'Builds cannot be assigned to this internal group.',
      'Cannot add internal group to a build.',
    ),
  ),
  'associated errors': row('betaReview,addToGroup', associated),
  'not fully uploaded': row('commitFile', () =>
    wrongState('The file can not be set to uploaded: these parts are missing: 1.'),
  ),
  'unknown code': row('betaReview,createBuildUpload,commitFile', () =>
    refused(
      409,
      'ENTITY_ERROR.SOMETHING.NEW',
      'Something is new.',
      'Apple refuses this for a reason that is new.',
    ),
  ),
  RATE_LIMIT_EXCEEDED: row('apps,buildUpload,commitFile,betaReview', () =>
    rateLimited({ 'Retry-After': '1' }),
  ),
  'rate limit without a time': row('apps,buildUpload', () => rateLimited({})),
  'UNEXPECTED_ERROR 500': row('apps,buildUpload,commitFile,betaReview', () => unexpected(500)),
  'UNEXPECTED_ERROR 502': row('apps,buildUpload,commitFile,betaReview', () => unexpected(502)),
  'UNEXPECTED_ERROR 503': row('apps,buildUpload,commitFile,betaReview', () => {
    const { errors } = unexpected(503);
    return new AppleError(errors, { 'Retry-After': '1' });
  }),
} satisfies Record<string, Refusal>;

/** All that it can refuse. */
export const REFUSALS = { ...TESTFLIGHT_REFUSALS, ...STORE_REFUSALS };

export type RefusalName = keyof typeof REFUSALS;
