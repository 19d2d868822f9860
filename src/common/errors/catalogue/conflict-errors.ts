import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests that the current state of an object does not allow. */
export const conflictErrors = {
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
  organization_limit_reached: {
    status: 409,
    message: 'You own 100 organizations already, which is the limit of this server.',
    meaning: 'The user owns as many organizations as the server allows (`MAX_ORGANIZATIONS_PER_USER`).',
    action: 'Delete or transfer one, or ask the operator to raise the limit.',
  },
  limit_reached: {
    status: 409,
    message:
      'An app can have at most 100 environments: delete some, or ask the operator to raise MAX_ENVIRONMENTS_PER_APP.',
    meaning:
      'The organization, the app or the user has as many objects of this kind, or sent as many invitations today, as the server allows. The message names the limit and its variable: see [configuration](configuration.md).',
    action: 'Delete some, or ask the operator to raise the limit.',
  },
  channel_name_taken: {
    status: 409,
    message: 'A channel with this name already exists.',
    meaning: 'The app already has a channel with this name, ignoring case.',
    action: 'Choose another name.',
  },
  channel_frozen: {
    status: 409,
    message: 'The channel production is frozen until 2026-12-27T00:00:00.000Z (Holidays).',
    meaning: 'The channel is in a freeze window. The message says until when, and why.',
    action: 'Wait, or override it: see [emergencies](approvals.md#emergencies).',
  },
  already_approved: {
    status: 409,
    message: 'You have approved this deployment already.',
    meaning: 'The caller already approved the deployment, with this or another token.',
    action: 'Let other users approve it.',
  },
  deployment_not_pending: {
    status: 409,
    message: 'This deployment needs no decision: it is approved.',
    meaning: 'The deployment is already approved or rejected.',
    action: 'Nothing, or create another deployment.',
  },
  deployment_not_live: {
    status: 409,
    message: 'This deployment is not delivered: it is pending.',
    meaning: 'The rollout plan cannot start, because its deployment is not approved.',
    action: 'Get the deployment approved first.',
  },
  deployment_superseded: {
    status: 409,
    message: 'The channel has a newer deployment, which is delivered in place of this one.',
    meaning:
      'The rollout plan cannot start, because its channel has a newer deployment, or its destination a newer release.',
    action: 'Roll out the newer one, or deploy the build again.',
  },
  rollout_plan_state: {
    status: 409,
    message: 'This rollout plan cannot be started: it is running.',
    meaning: 'The state of the rollout plan, which the message names, does not allow this.',
    action: 'See [rollout plans](rollout-plans.md).',
  },
  environment_name_taken: {
    status: 409,
    message: 'An environment with this name already exists.',
    meaning: 'The app already has an environment with this name, ignoring case.',
    action: 'Choose another name.',
  },
  environment_key_taken: {
    status: 409,
    message: 'The environment already has a variable with this key.',
    meaning: 'The environment already has a variable, or a secret, with this key.',
    action: 'Change the existing one, or use `set`, which replaces it.',
  },
  environment_full: {
    status: 409,
    message: 'An environment has at most 500 variables of 262144 bytes in total.',
    meaning:
      'The environment would have more than 500 variables, or secrets, or they would be too long in total, or its secrets have more than 1,500 lines.',
    action: 'Remove some, or store large content elsewhere.',
  },
  configuration_name_taken: {
    status: 409,
    message: 'A configuration with this name already exists.',
    meaning: 'The app already has a configuration with this name, ignoring case.',
    action: 'Choose another name.',
  },
  certificate_name_taken: {
    status: 409,
    message: 'A certificate with this name, platform and type already exists.',
    meaning:
      'The app already has a certificate with this name, ignoring case, for the platform and the type.',
    action: 'Choose another name.',
  },
  build_numbers_used_up: {
    status: 409,
    message: 'The app has no build number left: set nextAppBuildNumber to a lower one.',
    meaning: 'The app has used the largest build number, 2147483646.',
    action: 'Set `nextAppBuildNumber` to a free number.',
  },
  build_not_succeeded: {
    status: 409,
    message: 'Only a build that has succeeded can be shared: this one is in_progress.',
    meaning: 'The job of the build has not succeeded, or its bundle is not published.',
    action: 'Wait for the build, or share another one.',
  },
  build_running: {
    status: 409,
    message: 'The build has not ended: cancel its job first.',
    meaning: 'The build cannot be deleted while its job has not ended.',
    action: 'Cancel the job, or wait for its end.',
  },
  build_sources_pending: {
    status: 409,
    message: 'The app has 20 sources already that are being fetched, which is the limit.',
    meaning: 'The app has as many sources with a `fileUrl` that are not fetched yet as the server allows.',
    action: 'Wait until some of them are fetched, or upload the source.',
  },
  imports_pending: {
    status: 409,
    message: 'The app has 20 imports already that have not ended, which is the limit.',
    meaning:
      'The app has as many imports that wait for their upload, or are being read, as the server allows.',
    action: 'Complete their uploads, or cancel their jobs.',
  },
  import_ended: {
    status: 409,
    message: 'The file of the import is complete.',
    meaning: 'The file of the import is complete, or its job has ended.',
    action: 'Read the build, and import the file again if the job has not succeeded.',
  },
  artifact_missing: {
    status: 409,
    message: 'The build has no artifact yet: upload one before the job succeeds.',
    meaning: 'A runner reports success, but the artifacts of the build are missing or not complete.',
    action: 'Complete the uploads, then finish the job again.',
  },
  legal_hold: {
    status: 409,
    message: 'It cannot be deleted: a bundle is under legal hold. Release the hold first.',
    meaning: 'The deletion includes a bundle under [legal hold](retention.md#legal-hold).',
    action: 'Release the hold first, or keep the bundle.',
  },
  bundle_published: {
    status: 409,
    message: 'The bundle is published; its files cannot change any more.',
    meaning: 'The bundle is published, so its files cannot change.',
    action: 'Create a new bundle.',
  },
  last_owner: {
    status: 409,
    message: 'This is the last owner of the organization: make another member an owner first.',
    meaning: 'The organization would have no owner.',
    action: 'Make another member an owner first, or delete the organization.',
  },
  already_member: {
    status: 409,
    message: 'This user is a member of the organization already.',
    meaning: 'The user is already a member of the organization.',
    action: "Change the member's role instead.",
  },
  already_invited: {
    status: 409,
    message: 'This e-mail address is invited already.',
    meaning: 'There is an open invitation for this email address.',
    action: 'Wait, or revoke it first.',
  },
  invitation_accepted: {
    status: 409,
    message: 'The invitation has been accepted already.',
    meaning: 'The invitation was already accepted.',
    action: 'Nothing. To end the membership, remove the member.',
  },
  invitation_rejected: {
    status: 409,
    message: 'The invitation has been rejected.',
    meaning: 'The invitation was rejected.',
    action: 'Invite again.',
  },
  invitation_revoked: {
    status: 409,
    message: 'The invitation has been revoked.',
    meaning: 'The invitation was revoked, or replaced after it had expired.',
    action: 'Ask for another one.',
  },
  invitation_expired: {
    status: 409,
    message: 'The invitation has expired.',
    meaning: 'The invitation is older than seven days.',
    action: 'Ask for another one.',
  },
  team_name_taken: {
    status: 409,
    message: 'A team with this name already exists.',
    meaning: 'The organization already has a team with this name, ignoring case.',
    action: 'Choose another name.',
  },
  git_connection_name_taken: {
    status: 409,
    message: 'A git connection with this name already exists.',
    meaning: 'The organization already has a git connection with this name, ignoring case.',
    action: 'Choose another name.',
  },
  app_already_in_team: {
    status: 409,
    message: 'The app is in this team already.',
    meaning: 'The app is already assigned to the team.',
    action: 'Nothing.',
  },
  member_already_in_team: {
    status: 409,
    message: 'The member is in this team already.',
    meaning: 'The member is already in the team.',
    action: 'Nothing.',
  },
  two_factor_enabled: {
    status: 409,
    message: 'Two-factor authentication is on already.',
    meaning: 'A form turned on two-factor authentication, but the user already has it.',
    action: 'Open the page again.',
  },
  precondition_failed: {
    status: 412,
    message: 'The object has changed since you read it. Read it again.',
    meaning: 'The object does not match `If-Match`: it has changed. Nothing was done.',
    action: 'Read the object again, then decide again.',
  },
  license_key_locked: {
    status: 409,
    message: 'The packages of this license key cannot be changed before 2026-12-27T00:00:00.000Z.',
    meaning: 'The packages of the license key cannot change before its `lockedUntil`.',
    action: 'Wait, or create another license key.',
  },
  simulation_running: {
    status: 409,
    message: 'Another simulation is running. Try again in a moment.',
    meaning: 'A simulation of this app is running, or 10 of other apps are waiting.',
    action: 'Send the request again in a moment.',
  },
  webhook_disabled: {
    status: 409,
    message: 'The webhook is disabled. Enable it first.',
    meaning: 'A user or Slipway has disabled the webhook, so nothing is sent to it.',
    action: 'Update it with `enabled: true`, then send the request again.',
  },
  webhook_delivery_pending: {
    status: 409,
    message: 'The delivery is pending: it is sent by itself.',
    meaning: 'The delivery is waiting to be sent, or to be tried again.',
    action:
      'Wait: `nextAttemptAt` says until when. `test` makes a receiver that did not work be tried sooner.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being handled.',
    meaning: 'A request with this `Idempotency-Key` has been running for more than five seconds.',
    action: 'Send the request again, with the same key.',
  },
  client_closed_request: {
    status: 499,
    message: 'The client closed the connection before the response.',
    meaning:
      'The client disconnected before the response to its POST, and the change was undone. Only logs contain this code.',
    action: 'Send the request again.',
  },
  conflict: {
    status: 409,
    message: 'Something that the request refers to was deleted meanwhile.',
    meaning: 'Something changed during the request, for example a file was replaced.',
    action: 'Send the request again.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
