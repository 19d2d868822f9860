import { randomUUID } from 'node:crypto';
import type { Reply } from '../../stand-in/reply.ts';
import { noResource, pointerTo, refused, unprocessable } from '../apple-error.ts';
import { type Build, isComplianceOpen } from '../state/builds.ts';
import { readBody } from './body.ts';
import { buildOf } from './builds.ts';
import { oneOf, pageOf } from './document.ts';
import type { ConnectRequest } from './handle.ts';
import { isOneOf } from './lists.ts';
import { toReview } from './present.ts';

/** `GET /v1/betaAppReviewSubmissions`. */
export function listReviews(request: ConnectRequest): Reply {
  const { state, key, query } = request;
  const found = state
    .appsOf(key.team)
    .flatMap(({ builds }) => builds)
    .filter(({ id }) => isOneOf(query.filter('build'), id))
    .filter(({ review }) => review !== null && isOneOf(query.filter('betaReviewState'), review.state))
    .flatMap((build) => (build.review === null ? [] : toReview(build, build.review)));
  return pageOf(found, query, request);
}

/** `GET /v1/builds/{id}/betaAppReviewSubmission`. Without one: `data` is `null`, as for any relationship to one. */
export function getReview(request: ConnectRequest): Reply {
  const build = buildOf(request);
  if (build.review === null) return { status: 200, body: { data: null, links: { self: request.url.href } } };
  return oneOf(toReview(build, build.review), request.query, request);
}

/**
 * `POST /v1/betaAppReviewSubmissions`. Codes and words: logs of fastlane/fastlane and codemagic-ci-cd/cli-tools, and
 * tramlinehq/applelink `spaceship/wrapper_error.rb`.
 */
export function createReview(request: ConnectRequest): Reply {
  const { related } = readBody(request.body, {
    type: 'betaAppReviewSubmissions',
    relationships: { build: 'builds' },
  });
  const build = request.state.build(request.key.team, related['build'] ?? '');
  checkBuild(build);
  const { app } = build;
  if (!app.hasBetaContract)
    throw unprocessable('Beta contract is missing for the app.', '.BETA_CONTRACT_MISSING');
  if (app.localizations.find(({ locale }) => locale === app.primaryLocale)?.description == null)
    throw unprocessable('Beta App Description is missing.');
  const isOther = ({ id, version, platform, review }: Build): boolean =>
    id !== build.id &&
    version === build.version &&
    platform === build.platform &&
    (review?.state === 'WAITING_FOR_REVIEW' || review?.state === 'IN_REVIEW');
  // One per version: https://github.com/tramlinehq/store-quirks/issues/5
  if (app.builds.some((one) => !one.isExpired && isOther(one)))
    throw unprocessable('Another build is in review.', '.ANOTHER_BUILD_IN_REVIEW');
  if (app.reviewsLeft < 1)
    throw unprocessable('The maximum number of builds has been submitted.', '.SUBMISSION_LIMIT_REACHED');
  app.reviewsLeft -= 1;
  build.review = { id: randomUUID(), submittedAt: new Date(), state: 'WAITING_FOR_REVIEW' };
  return oneOf(toReview(build, build.review), request.query, request, 201);
}

function checkBuild(build: Build): void {
  // https://github.com/codemagic-ci-cd/cli-tools/issues/346
  if (build.processingState !== 'VALID' || build.isExpired)
    throw unprocessable('The build is not in a valid processing state for this operation.');
  if (isComplianceOpen(build)) {
    if (build.usesNonExemptEncryption !== null)
      throw unprocessable('The build is missing export compliance.', '.MISSING_EXPORT_COMPLIANCE');
    throw refused(
      409,
      'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
      'The provided entity is missing a required attribute',
      "You must provide a value for the attribute 'usesNonExemptEncryption' with this request",
      pointerTo('/data/attributes/usesNonExemptEncryption'),
    );
  }
  if (build.hasBetaSdk)
    throw unprocessable(
      'The build was made with an SDK that is not allowed for external testing.',
      '.BUILD_SDK_NOT_ALLOWED_FOR_EXTERNAL_TESTING',
    );
  if (build.review !== null)
    throw unprocessable('The build is in an invalid state for beta review.', '.INVALID_QC_STATE');
}

/** @throws AppleError 404 for a fresh build, as a test asks for it */
export function requireKnownToGroups(build: Build): void {
  if (build.groupsMissing < 1) return;
  build.groupsMissing -= 1;
  throw noResource('builds', build.id);
}
