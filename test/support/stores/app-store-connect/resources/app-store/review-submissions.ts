import type { Reply } from '../../../stand-in/reply.ts';
import { type AppleError, invalidRelationship, refused, wrongState } from '../../apple-error.ts';
import { cancel, pollSubmission } from '../../state/app-store/app-review.ts';
import { addReviewSubmission, type ReviewSubmission } from '../../state/app-store/review-submission.ts';
import { type AppleApp, type Platform, PLATFORMS } from '../../state/connect-state.ts';
import { appOf } from '../apps.ts';
import { readBody } from '../body.ts';
import { oneOf, pageOf } from '../document.ts';
import type { ConnectRequest } from '../handle.ts';
import { isOneOf } from '../lists.ts';
import { toReviewSubmission } from './present-store.ts';
import { requireComplete } from './requirements.ts';

/** States of submissions that keep others from being made; one with issues does not: codemagic-ci-cd/cli-tools. */
const IN_PROGRESS: readonly ReviewSubmission['state'][] = [
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'CANCELING',
  'COMPLETING',
];
const CANCELABLE: readonly ReviewSubmission['state'][] = [
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'UNRESOLVED_ISSUES',
];

/** `GET /v1/reviewSubmissions`. */
export function listReviewSubmissions(request: ConnectRequest): Reply {
  const { state, key, query } = request;
  const apps = state.appsOf(key.team).filter(({ id }) => isOneOf(query.filter('app'), id));
  return listed(request, apps);
}

/** `GET /v1/apps/{id}/reviewSubmissions`. */
export function listAppReviewSubmissions(request: ConnectRequest): Reply {
  return listed(request, [appOf(request)]);
}

function listed(request: ConnectRequest, apps: readonly AppleApp[]): Reply {
  const { connect, query } = request;
  const found = apps
    .flatMap(({ reviewSubmissions }) => reviewSubmissions)
    .filter(({ platform }) => isOneOf(query.filter('platform'), platform))
    .map((submission) => pollSubmission(submission, connect.review))
    .filter((submission) => isOneOf(query.filter('state'), submission.state));
  return pageOf(found.map(toReviewSubmission), query, request, connect.hasEndlessPages);
}

/** `GET /v1/reviewSubmissions/{id}`. */
export function getReviewSubmission(request: ConnectRequest): Reply {
  const submission = pollSubmission(submissionOf(request), request.connect.review);
  return oneOf(toReviewSubmission(submission), request.query, request);
}

/** `POST /v1/reviewSubmissions`. The words: codemagic-ci-cd/cli-tools, `publish` of App Store Connect. */
export function createReviewSubmission(request: ConnectRequest): Reply {
  const { attributes, related } = readBody(request.body, {
    type: 'reviewSubmissions',
    attributes: { 'platform?': PLATFORMS },
    relationships: { app: 'apps' },
  });
  const app = request.state.appsOf(request.key.team).find(({ id }) => id === related['app']);
  if (app === undefined) throw invalidRelationship('app', `There is no app with id '${related['app']}'`);
  const platform = (attributes['platform'] ?? 'IOS') as Platform;
  const other = app.reviewSubmissions.find(
    (one) => one.platform === platform && IN_PROGRESS.includes(one.state),
  );
  if (other !== undefined) throw inProgress(other.id);
  return oneOf(toReviewSubmission(addReviewSubmission(app, platform)), request.query, request, 201);
}

/** The code is not known. */
export function inProgress(id: string): AppleError {
  return refused(
    409,
    'STATE_ERROR',
    'The request cannot be fulfilled because of the state of another resource.',
    `There is another reviewSubmissions with id ${id} still in progress`,
  );
}

/** `PATCH /v1/reviewSubmissions/{id}`: it is submitted or canceled. */
export function updateReviewSubmission(request: ConnectRequest): Reply {
  const submission = submissionOf(request);
  const { attributes } = readBody(request.body, {
    type: 'reviewSubmissions',
    id: submission.id,
    attributes: { 'platform?': PLATFORMS, 'submitted?': 'boolean', 'canceled?': 'boolean' },
  });
  if (attributes['submitted'] === true) submit(request, submission);
  if (attributes['canceled'] === true) {
    // One that was never submitted can be neither canceled nor deleted.
    if (!CANCELABLE.includes(submission.state))
      throw wrongState(
        `reviewSubmissions with id ${submission.id} is not in a state in which it can be canceled: ${submission.state}.`,
        'STATE_ERROR.ENTITY_STATE_INVALID',
      );
    cancel(submission, request.connect.review);
  }
  return oneOf(toReviewSubmission(submission), request.query, request);
}

/**
 * After a rejection, the item has to be resolved before: until then it is "not ready", however long one waits (logs in
 * public repositories).
 */
function submit({ connect }: ConnectRequest, submission: ReviewSubmission): void {
  const { review } = connect;
  const items = submission.items.filter(({ state }) => state !== 'REMOVED');
  if (submission.state !== 'READY_FOR_REVIEW' && submission.state !== 'UNRESOLVED_ISSUES')
    throw wrongState(
      `The review submission was submitted already: ${submission.state}.`,
      'STATE_ERROR.ENTITY_STATE_INVALID',
    );
  const isRejected = items.some(({ state, isResolved }) => state === 'REJECTED' && !isResolved);
  if (items.length === 0 || isRejected || review.notReady > 0) {
    if (items.length > 0 && !isRejected) review.notReady -= 1;
    throw notReady();
  }
  for (const { version } of items) requireComplete(version);
  submission.state = 'WAITING_FOR_REVIEW';
  submission.submittedAt = new Date();
  for (const item of items) {
    Object.assign(item, { state: 'READY_FOR_REVIEW', isResolved: false });
    item.version.state = 'WAITING_FOR_REVIEW';
    item.version.app.reviews.push(item.version.build?.id ?? '');
  }
}

/** The code is not known. */
export function notReady(): AppleError {
  return wrongState('Version is not ready to be submitted yet, please try again later.');
}

export function submissionOf({ state, key, id }: ConnectRequest): ReviewSubmission {
  return state.reviewSubmission(key.team, id);
}
