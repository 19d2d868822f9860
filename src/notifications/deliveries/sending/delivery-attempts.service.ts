import { Injectable, Logger } from '@nestjs/common';
import { Limits } from '../../../common/background/limits.js';
import { databaseNow } from '../../../common/database-clock.js';
import type { DeliverableEvent } from '../../formats/deliverable-event.js';
import { type OpenedWebhook, WebhookSecrets } from '../../webhook-fields/webhook-secrets.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import { DeliveryMessages } from './delivery-messages.js';
import { DeliveryOutcomes } from './delivery-outcomes.service.js';
import { DeliveryRunsQueries, type PendingDelivery } from './delivery-runs.queries.js';
import type { ReceiverState } from './receiver-state.js';
import type { AttemptRole, Following, Run } from './run.js';
import { type AttemptResult, WebhookSender } from './webhook-sender.service.js';

const DELETED = 'The event was deleted before it was sent: its app was deleted, or its retention is over.';
const NOT_SENDABLE = 'The server could not prepare the event. Its operator finds the reason in the log.';

/** A run whose address and secrets are decrypted. */
export interface OpenRun extends Run {
  /** `null`: the encryption key that sealed them is no longer configured. */
  readonly opened: OpenedWebhook | null;
  /** By `performance.now()`. */
  readonly start: number;
}

/** Sends single deliveries, and writes what came of them. */
@Injectable()
export class DeliveryAttempts {
  private readonly logger = new Logger(DeliveryAttempts.name);

  constructor(
    private readonly queries: DeliveryRunsQueries,
    private readonly outcomes: DeliveryOutcomes,
    private readonly messages: DeliveryMessages,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly limits: Limits,
  ) {}

  open(run: Run): OpenRun {
    return { ...run, opened: this.decrypt(run.webhook), start: performance.now() };
  }

  async attempt(
    run: OpenRun,
    delivery: PendingDelivery,
    role: AttemptRole,
    state: ReceiverState,
  ): Promise<Following> {
    const { webhook, opened } = run;
    const event = await this.prepare(delivery);
    if (event === null) return { kind: 'next', state, outcome: null };
    const result =
      opened === null ? notOpened() : await this.sender.send(webhook, opened, event, delivery.id);
    return this.inTurn(webhook, () => this.outcomes.write({ run, delivery, role, state, result }));
  }

  /** Statements take connections of the pool, which requests need, too. */
  inTurn<R>({ organizationId }: Webhook, work: () => Promise<R>): Promise<R> {
    return this.limits.run('delivery-statements', organizationId, work);
  }

  private decrypt(webhook: Webhook): OpenedWebhook | null {
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
}

/** An attempt that ends before it begins, and is repeated like others: an operator may restore the key. */
function notOpened(): AttemptResult {
  const error =
    'The server could not decrypt the address of the webhook. Its operator finds the reason in the log.';
  const nothing = { status: null, responseBody: null, retryAfter: null };
  return { outcome: 'unavailable', at: databaseNow(), durationMs: 0, error, ...nothing };
}
