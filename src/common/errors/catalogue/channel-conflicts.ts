import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests about channels, deployments and rollout plans. */
export const channelConflicts = {
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
    meaning:
      'The rollout plan cannot start, because its deployment is not approved; or no device can get a deployment, because it was rejected.',
    action: 'Get the deployment approved first, or deploy again.',
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
} as const satisfies Readonly<Record<string, CataloguedError>>;
