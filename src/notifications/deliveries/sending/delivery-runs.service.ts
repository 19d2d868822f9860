import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Limits } from '../../../common/background/limits.js';
import { databaseNow } from '../../../common/database-clock.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { QueueService } from '../../../queue/queue.service.js';
import type { DeliverableEvent } from '../../formats/deliverable-event.js';
import { type OpenedWebhook, WebhookSecrets } from '../../webhook-fields/webhook-secrets.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import { DeliverySchedules } from '../schedules/delivery-schedules.service.js';
import { DeliveryMessages } from './delivery-messages.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import { DELIVERIES_QUEUE, type DeliveryJob, RETRIES_QUEUE } from './delivery-queues.js';
import { DeliveryRunsQueries, type PendingDelivery } from './delivery-runs.queries.js';
import { paceOf, type ReceiverState, stateOf } from './retry-schedule.js';
import { type AttemptResult, WebhookSender } from './webhook-sender.service.js';

/** Milliseconds after which a run begins no further attempt: others wait for its worker. */
const LONGEST_RUN = 15_000;

const DISABLED = 'The webhook was disabled before the event was sent.';
const DELETED = 'The event was deleted before it was sent: its app was deleted, or its retention is over.';
const NOT_SENDABLE = 'The server could not prepare the event. Its operator finds the reason in the log.';

/**
 * Sends the pending deliveries of one webhook after the other, in the order of their positions, until there are none, the
 * receiver does not work, or it is the turn of other webhooks.
 */
@Injectable()
export class DeliveryRuns implements OnModuleInit {
  private readonly logger = new Logger(DeliveryRuns.name);

  constructor(
    private readonly queries: DeliveryRunsQueries,
    private readonly schedules: DeliverySchedules,
    private readonly outcomes: DeliveryOutcomes,
    private readonly messages: DeliveryMessages,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly queue: QueueService,
    private readonly limits: Limits,
  ) {}

  onModuleInit(): void {
    for (const queue of [DELIVERIES_QUEUE, RETRIES_QUEUE]) {
      this.queue.handle<DeliveryJob>(queue, (job) => this.run(job));
    }
  }

  private async run(job: DeliveryJob): Promise<void> {
    const run = await this.queries.findRun(job);
    if (run === undefined) return;
    const { webhook } = run;
    if (webhook.enabled) return this.sendAll(job, webhook, run.schedule);
    // An event came at the moment when the webhook was disabled, or very many were pending.
    await transaction(async () => {
      await this.queries.failPending(webhook.id, DISABLED);
      const schedule = await this.schedules.lockDue(job);
      if (schedule === null) return;
      const hasPending = await this.queries.hasPending(webhook.id);
      await this.schedules.plan(webhook, schedule, hasPending ? 0 : null);
    });
  }

  private async sendAll(job: DeliveryJob, webhook: Webhook, before: ReceiverState): Promise<void> {
    const opened = this.open(webhook);
    const { atOnce, perSecond } = paceOf(webhook.format);
    const start = performance.now();
    const isTime = (): boolean => !this.queue.isStopping && performance.now() - start < LONGEST_RUN;
    let state = stateOf(before);
    let sent = 0;
    while (sent < atOnce && isTime()) {
      const delivery = await this.inTurn(webhook, () => this.queries.findNext(job, webhook.version));
      if (delivery === undefined) break;
      const event = await this.prepare(delivery);
      if (event === null) continue;
      const result =
        opened === null ? notOpened() : await this.sender.send(webhook, opened, event, delivery.id);
      sent++;
      const next = await this.inTurn(webhook, () =>
        this.outcomes.write({ job, webhook, delivery, state, result }),
      );
      if (next === null) return;
      state = next;
    }
    const wait = Math.max((sent * 1000) / perSecond - (performance.now() - start), 0);
    await this.inTurn(webhook, () => this.outcomes.end(job, webhook, state, Math.round(wait)));
  }

  /** @returns `null`: the encryption key that sealed it is no longer configured */
  private open(webhook: Webhook): OpenedWebhook | null {
    try {
      return this.secrets.open(webhook, databaseNow());
    } catch (err) {
      this.logger.error({ err, webhookId: webhook.id }, 'The secrets of a webhook could not be opened');
      return null;
    }
  }

  /** @returns `null`: it cannot be sent, and is given up */
  private async prepare(delivery: PendingDelivery): Promise<DeliverableEvent | null> {
    try {
      const event = this.messages.of(delivery);
      if (event !== null) return event;
      await this.queries.fail(delivery.id, DELETED);
    } catch (err) {
      this.logger.error({ err, deliveryId: delivery.id }, 'An event could not be prepared for a webhook');
      await this.queries.fail(delivery.id, NOT_SENDABLE);
    }
    return null;
  }

  /** Connections of the pool, which requests need, too. */
  private inTurn<R>({ organizationId }: Webhook, work: () => Promise<R>): Promise<R> {
    return this.limits.run('delivery-statements', organizationId, work);
  }
}

/** An attempt that ends before it begins, and is repeated like others: an operator may restore the key. */
function notOpened(): AttemptResult {
  const error =
    'The server could not decrypt the address of the webhook. Its operator finds the reason in the log.';
  const nothing = { status: null, responseBody: null, retryAfter: null };
  return { outcome: 'unavailable', at: databaseNow(), durationMs: 0, error, ...nothing };
}
