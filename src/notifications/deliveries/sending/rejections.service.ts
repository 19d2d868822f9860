import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import type { PendingDelivery } from './delivery-runs.queries.js';
import { afterRejections, type ReceiverState, REJECTIONS } from './receiver-state.js';
import { RejectionsQueries } from './rejections.queries.js';
import { TRIED_FOR } from './retry-schedule.js';

/** A receiver that has rejected so many events that it does not work. */
export interface FailedByRejections {
  readonly state: ReceiverState;
  /** Whether a new event may show that it works: there was none. */
  readonly wakes: boolean;
}

/**
 * Distinguishes events that a receiver does not want from a receiver that does not work, such as an ingress that responds with 404
 * during a deployment. Events that are pending again are sent in their order, with a new one at the end: if the receiver
 * takes that, it did not want the others.
 */
@Injectable()
export class Rejections {
  constructor(private readonly queries: RejectionsQueries) {}

  /**
   * Judges a rejection, with the webhook locked.
   *
   * @param before the attempt
   * @param next after it
   * @returns `null`: it is about the event
   */
  async judge(
    { id: webhookId }: Webhook,
    delivery: PendingDelivery,
    before: ReceiverState,
    next: ReceiverState,
  ): Promise<FailedByRejections | null> {
    const { rejectedIds: ids } = next;
    if (ids.length < REJECTIONS || !ids.includes(delivery.id)) return null;
    const isKnown = before.rejectedIds.includes(delivery.id);
    // One that a user sends again, or others follow.
    if (isKnown && (before.failures === 0 || (await this.queries.hasOthers(webhookId, [])))) return null;
    if (!(await this.queries.hasType(ids, before.acceptedTypes))) return null;
    const now = databaseNow();
    const restored = await this.queries.restore(ids, new Date(now.getTime() - TRIED_FOR));
    if (restored === 0) return null;
    const hasOthers = await this.queries.hasOthers(webhookId, ids);
    return { state: afterRejections(next, before, now), wakes: !hasOthers };
  }
}
