import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { EventsService } from '../../../events/events.service.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import { webhookFailing, webhookRecovered } from '../deliveries.events.js';
import { DeliverySchedules } from '../schedules/delivery-schedules.service.js';
import type { WebhookSchedule } from '../webhook-schedule.entity.js';
import { DeliveryRunsQueries } from './delivery-runs.queries.js';
import { isReportDue, type ReceiverState, reportIn } from './receiver-state.js';
import { retryDelay, triedUntil } from './retry-schedule.js';
import type { Run } from './run.js';

/** Why a receiver rests. */
export interface RestCause {
  /** Seconds that a receiver wants to wait that has too much to do; `null`: it has not said so. */
  readonly retryAfter: number | null;
  /** Since when the delivery fails whose turn it is; `null`: it has not failed in its turn. */
  readonly failingSince: Date | null;
  /** Whether it is given up: the next one is tried at once. */
  readonly isGivenUp: boolean;
  /** Whether a new event is tried before the rest is over. */
  readonly wakes: boolean;
}

/** Lets receivers rest that do not work, and reports it. */
@Injectable()
export class ReceiverRests {
  constructor(
    private readonly queries: DeliveryRunsQueries,
    private readonly schedules: DeliverySchedules,
    private readonly events: EventsService,
  ) {}

  /** Plans when a receiver is tried again. Lock the schedule before, and the webhook before that if a report is due. */
  async rest(
    { webhook, restsUntil }: Run,
    schedule: WebhookSchedule,
    state: ReceiverState,
    { retryAfter, failingSince, isGivenUp, wakes }: RestCause,
  ): Promise<void> {
    const now = databaseNow();
    const isDue = isReportDue(state, now);
    if (isDue) await this.reportFailure(webhook, state);
    // A user may have changed the webhook during the attempt: then the failures were forgotten. What a new event has
    // shown before the rest was over does not make it longer.
    const failures =
      restsUntil === null ? Math.min(state.failures, schedule.failures + 1) : schedule.failures;
    const next = { ...state, failures, isReported: state.isReported || isDue };
    const hasPending = await this.queries.hasPending(webhook.id);
    // A user has asked for something in the meantime.
    const isHurried = restsUntil !== null && schedule.restsUntil === null;
    const { busyResponses } = next;
    const triedFor = triedUntil(failingSince ?? now, now) / 1000;
    const delay = retryDelay({ failures, busyResponses, retryAfter, triedFor, random: Math.random() });
    const wait =
      isGivenUp || isHurried ? 0 : restsUntil === null ? delay * 1000 : restsUntil.getTime() - now.getTime();
    const plan = hasPending ? this.planOf(next, now, Math.max(Math.round(wait), 0), wakes) : null;
    await this.schedules.plan(webhook, { ...schedule, ...next }, plan);
  }

  private planOf(state: ReceiverState, now: Date, rest: number, wakes: boolean) {
    return { wait: reportIn(state, now, rest) ?? rest, rest, wakes };
  }

  /**
   * Ends a run that began before the rest was over, or in which no other event has shown that the receiver works.
   *
   * @param cause `null`: the run was planned to report the failure
   */
  async continue(run: Run, state: ReceiverState, cause: RestCause | null): Promise<void> {
    const { job, webhook } = run;
    await transaction(async () => {
      if (isReportDue(state, databaseNow())) await this.queries.lockWebhook(webhook.id);
      const schedule = await this.schedules.lockDue(job);
      if (schedule === null) return;
      const none = { retryAfter: null, failingSince: null, isGivenUp: false, wakes: schedule.wakes };
      return this.rest(run, schedule, state, cause ?? none);
    });
  }

  private async reportFailure(webhook: Webhook, { failingSince }: ReceiverState): Promise<void> {
    const { id: objectId, organizationId } = webhook;
    const data = { ...dataOf(webhook), failingSince: (failingSince ?? databaseNow()).toISOString() };
    await this.events.record(webhookFailing, { organizationId, objectId, data });
  }

  /** The receiver works again that was reported. Lock the webhook before. @param before the success */
  async reportRecovery(webhook: Webhook, { failingSince, unsuccessfulSince }: ReceiverState): Promise<void> {
    const { id: objectId, organizationId } = webhook;
    const undelivered = await this.queries.countUndelivered(objectId);
    const since = failingSince ?? unsuccessfulSince ?? databaseNow();
    const data = { ...dataOf(webhook), failingSince: since.toISOString(), undelivered };
    await this.events.record(webhookRecovered, { organizationId, objectId, data });
  }
}

function dataOf({ id: webhookId, name: webhookName, appId }: Webhook) {
  return { webhookId, webhookName, appId };
}
