import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests about destinations, submissions and releases in stores. */
export const storeConflicts = {
  destination_name_taken: {
    status: 409,
    message: 'A destination with this name already exists.',
    meaning: 'The app already has a destination of this platform with this name, ignoring case.',
    action: 'Choose another name.',
  },
  destination_in_use: {
    status: 409,
    message: 'The destination has submissions that have not ended.',
    meaning: 'Submissions to the destination are open.',
    action: 'Wait for their jobs, or cancel them.',
  },
  submission_open: {
    status: 409,
    message:
      'The build is already being submitted to this destination, with other parameters: wait for its job, or cancel it.',
    meaning: 'A submission of the build to the destination is open, with other parameters.',
    action: 'Wait for its job, or cancel it.',
  },
  submission_committed: {
    status: 409,
    message: 'The submission cannot be canceled: it was sent to the store.',
    meaning: 'The call that publishes the release was sent.',
    action: 'Wait for the end of the job. Halt the release in the store if you need to.',
  },
  submission_state: {
    status: 409,
    message: 'The submission does not wait for a person: its state is prepared.',
    meaning:
      'Only a submission whose state is `failed_with_action_required` can be marked as done, and only after its release was sent for review in the store.',
    action: 'Look at the field `submission` of the deployment, and do in the store what the message says.',
  },
  release_busy: {
    status: 409,
    message: 'The release is being changed: wait for its job, or cancel it.',
    meaning: 'A change of the release in the store has not ended: see `openAction` of the deployment.',
    action: 'Wait for its job, or cancel it.',
  },
  release_state: {
    status: 409,
    message: 'The release cannot be withdrawn: it is released.',
    meaning: 'The store allows the change only in another state of the release, or there is no release yet.',
    action: 'Look at the field `submission.release` of the deployment.',
  },
  already_submitted: {
    status: 409,
    message:
      'The version 42 was submitted to this destination before, by the deployment 01890a5d-ac96-774b-bcce-b302099a8057: set force to true to submit it again.',
    meaning:
      'A version is submitted to a destination once with success. Failed and canceled submissions and promotions do not count.',
    action: 'Submit another version, or set `force` to `true`.',
  },
  destination_frozen: {
    status: 409,
    message: 'The destination Google Play, production is frozen until 2026-12-27T00:00:00.000Z (Holidays).',
    meaning: 'The destination is in a freeze window. The message says until when, and why.',
    action: 'Wait, or override it: see [emergencies](approvals.md#emergencies).',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
