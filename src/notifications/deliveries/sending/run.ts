import type { Webhook } from '../../webhooks/webhook.entity.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { DeliveryJob } from './delivery-queues.js';
import type { PendingDelivery } from './delivery-runs.queries.js';
import type { ReceiverState } from './receiver-state.js';
import type { AttemptResult } from './webhook-sender.service.js';

/**
 * Why a delivery is sent. `next`: it is its turn; `probe`: it may show that the receiver works; `again`: another one has
 * shown that.
 */
export type AttemptRole = 'next' | 'probe' | 'again';

/** A run of a webhook. */
export interface Run {
  readonly job: DeliveryJob;
  readonly webhook: Webhook;
  /** Until when the receiver rests: it is tried before that, because there is a new event. `null`: it does not rest. */
  readonly restsUntil: Date | null;
}

export interface RunAttempt {
  readonly run: Run;
  readonly delivery: PendingDelivery;
  readonly role: AttemptRole;
  /** How the receiver has responded before. */
  readonly state: ReceiverState;
  readonly result: AttemptResult;
}

/** What follows an attempt: the next one, other events that may show that the receiver works, or nothing in this run. */
export type Following =
  | {
      readonly kind: 'next' | 'probes';
      readonly state: ReceiverState;
      /** `null`: nothing was sent. */
      readonly outcome: AttemptOutcome | null;
    }
  | { readonly kind: 'end' };

export const END = { kind: 'end' } as const;
