import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import { isBusy } from './attempt-outcome.js';
import type { PendingDelivery, WrittenAttempt } from './delivery-runs.queries.js';
import { ObjectsAsideQueries } from './objects-aside.queries.js';
import { FAILURES_OF_EVENT, retryDelay, triedUntil } from './retry-schedule.js';
import type { AttemptResult } from './webhook-sender.service.js';

/** Objects of a webhook that are set aside at most. */
const MAX_ASIDE = 100;

/** Sets objects aside for which a receiver fails that works otherwise, and plans their next attempts. */
@Injectable()
export class ObjectsAside {
  constructor(private readonly queries: ObjectsAsideQueries) {}

  /** Whether the object of a delivery may be set aside, if the receiver works otherwise. */
  async mayBe({ id, ordering }: Webhook, { failures }: Pick<WrittenAttempt, 'failures'>): Promise<boolean> {
    if (ordering !== 'object' || failures < FAILURES_OF_EVENT) return false;
    return (await this.queries.count(id)) < MAX_ASIDE;
  }

  /** Sets the object of a delivery aside. Lock the webhook before. @returns `false`: it cannot be any more */
  async setAside(
    webhookId: string,
    { objectId }: Pick<PendingDelivery, 'objectId'>,
    written: WrittenAttempt,
  ): Promise<boolean> {
    const isPossible =
      (await this.queries.isByObject(webhookId)) && (await this.queries.count(webhookId)) < MAX_ASIDE;
    if (!isPossible) return false;
    await this.queries.retry(webhookId, objectId, waitOf(written, null));
    await this.queries.hide(webhookId, objectId);
    return true;
  }

  /** Plans what follows an attempt at an object that is set aside, and releases the object if nothing does. */
  async planNext(
    webhookId: string,
    { objectId }: Pick<PendingDelivery, 'objectId'>,
    result: AttemptResult,
    written: WrittenAttempt,
  ): Promise<void> {
    if (written.status === 'pending') {
      const wait = waitOf(written, isBusy(result) ? result.retryAfter : null);
      return this.queries.retry(webhookId, objectId, wait);
    }
    const isReleased = await this.queries.release(webhookId, objectId);
    if (!isReleased) await this.queries.hurry(webhookId, objectId);
  }
}

/** Milliseconds. The attempt that has shown that it is the event was not one of its schedule. */
function waitOf({ failures, failingSince }: WrittenAttempt, retryAfter: number | null): number {
  const now = databaseNow();
  const triedFor = triedUntil(failingSince ?? now, now) / 1000;
  const busyResponses = retryAfter === null ? 0 : 1;
  const delay = retryDelay({
    failures: failures - 1,
    busyResponses,
    retryAfter,
    triedFor,
    random: Math.random(),
  });
  return Math.round(delay * 1000);
}
