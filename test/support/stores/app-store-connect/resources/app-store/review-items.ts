import type { Reply } from '../../../stand-in/reply.ts';
import { type AppleError, invalidRelationship, noResource, refused, wrongState } from '../../apple-error.ts';
import {
  addItem,
  holderOf,
  type ReviewItem,
  type ReviewSubmission,
} from '../../state/app-store/review-submission.ts';
import { isEditable } from '../../state/app-store/store-version.ts';
import { readBody } from '../body.ts';
import { oneOf, pageOf } from '../document.ts';
import type { ConnectRequest } from '../handle.ts';
import { toReviewItem } from './present-store.ts';
import { requireComplete } from './requirements.ts';
import { submissionOf } from './review-submissions.ts';
import { findVersion } from './version-localizations.ts';

/** `GET /v1/reviewSubmissions/{id}/items`. */
export function listReviewItems(request: ConnectRequest): Reply {
  return pageOf(submissionOf(request).items.map(toReviewItem), request.query, request);
}

/** `POST /v1/reviewSubmissionItems`: a version gets into a submission, which freezes its build. */
export function addReviewItem(request: ConnectRequest): Reply {
  const { related } = readBody(request.body, {
    type: 'reviewSubmissionItems',
    relationships: { reviewSubmission: 'reviewSubmissions', appStoreVersion: 'appStoreVersions' },
  });
  const submission = findSubmission(request, related['reviewSubmission'] ?? '');
  const version = findVersion(request, related['appStoreVersion'] ?? '');
  const held = holderOf(version);
  if (held?.submission === submission)
    throw invalidRelationship(
      'appStoreVersion',
      'Item is already present in this reviewSubmission',
      '.NOT_ALLOWED',
    );
  if (held !== undefined) throw partOfAnother(version.id, held.submission.id);
  if (submission.state !== 'READY_FOR_REVIEW')
    throw wrongState(`No item can be added to a review submission in the state ${submission.state}.`);
  if (submission.app !== version.app || submission.platform !== version.platform)
    throw invalidRelationship('appStoreVersion', 'The version is of another app or platform.');
  if (!isEditable(version))
    throw wrongState(`appStoreVersions with id '${version.id}' is in the state ${version.state}.`);
  requireComplete(version);
  version.state = 'READY_FOR_REVIEW';
  return oneOf(toReviewItem(addItem(submission, version)), request.query, request, 201);
}

/** The words: logs in public issues. */
export function partOfAnother(versionId: string, submissionId: string): AppleError {
  return refused(
    409,
    'STATE_ERROR.ITEM_PART_OF_ANOTHER_SUBMISSION',
    'The item is part of another submission.',
    `appStoreVersions with id ${versionId} was already added to another reviewSubmission with id ${submissionId}`,
  );
}

/** `PATCH /v1/reviewSubmissionItems/{id}`. */
export function updateReviewItem(request: ConnectRequest): Reply {
  const found = itemOf(request);
  const { attributes } = readBody(request.body, {
    type: 'reviewSubmissionItems',
    id: found.id,
    attributes: { 'resolved?': 'boolean', 'removed?': 'boolean' },
  });
  if (attributes['resolved'] === true) {
    if (found.state !== 'REJECTED') throw wrongState(`The item is not rejected, but ${found.state}.`);
    found.isResolved = true;
  }
  if (attributes['removed'] === true) throw wrongState('The item can not be removed.');
  return oneOf(toReviewItem(found), request.query, request);
}

/** `DELETE /v1/reviewSubmissionItems/{id}`: before it is submitted. */
export function removeReviewItem(request: ConnectRequest): Reply {
  const { submission, version, ...found } = itemOf(request);
  if (submission.state !== 'READY_FOR_REVIEW')
    throw wrongState('Item was already submitted', 'STATE_ERROR.ENTITY_STATE_INVALID');
  const index = submission.items.findIndex(({ id }) => id === found.id);
  submission.items.splice(index, 1);
  version.state = 'PREPARE_FOR_SUBMISSION';
  return { status: 204 };
}

function itemOf({ state, key, id }: ConnectRequest): ReviewItem {
  const all = ({ reviewSubmissions }: { reviewSubmissions: readonly ReviewSubmission[] }): ReviewItem[] =>
    reviewSubmissions.flatMap(({ items }) => items);
  return state.find(key.team, all, id, noResource('reviewSubmissionItems', id));
}

function findSubmission({ state, key }: ConnectRequest, id: string): ReviewSubmission {
  try {
    return state.reviewSubmission(key.team, id);
  } catch {
    const detail = `There is no resource of type 'reviewSubmissions' with id '${id}'`;
    throw invalidRelationship('reviewSubmission', detail);
  }
}
