/** Apple's states of versions (`appVersionState`), by what can be done with one. Older names are in brackets in its document. */

/** It can be changed: it was not sent for review, was taken out of it, or was rejected. */
export const EDITABLE: ReadonlySet<string> = new Set([
  'PREPARE_FOR_SUBMISSION',
  // In a review submission that was not sent: its build is frozen until it is taken out.
  'READY_FOR_REVIEW',
  'DEVELOPER_REJECTED',
  'REJECTED',
  'METADATA_REJECTED',
  'INVALID_BINARY',
]);

/** It waits for the review, or is in it. */
export const IN_REVIEW: ReadonlySet<string> = new Set([
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'WAITING_FOR_EXPORT_COMPLIANCE',
]);

/** Apple has approved it, and no user has it. */
export const APPROVED: ReadonlySet<string> = new Set([
  'ACCEPTED',
  'PENDING_APPLE_RELEASE',
  'PENDING_DEVELOPER_RELEASE',
  'PROCESSING_FOR_DISTRIBUTION',
]);

/** Users have it, or had it: the app has a version before the next one. */
export const WAS_LIVE: ReadonlySet<string> = new Set(['READY_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION']);

export function isIn(states: ReadonlySet<string>, { state }: { readonly state: string | null }): boolean {
  return state !== null && states.has(state);
}
