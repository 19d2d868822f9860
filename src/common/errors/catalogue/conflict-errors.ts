import type { CataloguedError } from './catalogued-error.js';

/** Other errors of requests that the current state of an object does not allow. */
export const conflictErrors = {
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
    meaning: 'A simulation of this app is running.',
    action: 'Send the request again in a moment.',
  },
  webhook_disabled: {
    status: 409,
    message: 'The webhook is disabled. Enable it first.',
    meaning: 'A user or Slipway has disabled the webhook, so nothing is sent to it.',
    action: 'Update it with `enabled: true`, then send the request again.',
  },
  webhook_delivery_waits: {
    status: 409,
    message:
      'The delivery waits for an earlier one of its object: 0199b0c2-7c1e-7f1a-a39e-7b1c2d3e4f50. Redeliver or skip that first.',
    meaning:
      'The delivery is pending, and an earlier one of the same object is, too; for a webhook with `ordering` `strict`, any earlier one.',
    action: 'Redeliver or skip the delivery that the message names, or wait.',
  },
  webhook_delivery_over: {
    status: 409,
    message: 'The delivery has arrived, or was skipped.',
    meaning: 'Only deliveries that are pending or failed can be skipped.',
    action: 'Nothing: Slipway does not send it. `redeliver` does.',
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
