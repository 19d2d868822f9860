import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Webhook } from '../webhooks/webhook.entity.js';

export const webhookDeliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** One attempt to deliver. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  readonly at: string;
  /** The HTTP status; `null`: there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /** What went wrong, in a sentence; `null`: it has succeeded. */
  readonly error: string | null;
}

/** One event for one webhook. */
@Entity('webhook_deliveries')
@Unique('webhook_deliveries_webhook_id_event_id_key', ['webhookId', 'eventId'])
@Index('webhook_deliveries_next_idx', ['webhookId', 'position', 'id'], {
  where: `status = 'pending' AND NOT set_aside`,
})
@Index('webhook_deliveries_object_idx', ['webhookId', 'objectId', 'position', 'id'], {
  where: `status = 'pending'`,
})
@Index('webhook_deliveries_failed_idx', ['webhookId', 'createdAt'], { where: `status = 'failed'` })
@Index(['webhookId', 'createdAt', 'id'])
@Index(['createdAt'])
@Check('webhook_deliveries_attempt_count_check', 'attempt_count >= 0')
@Check('webhook_deliveries_reason_check', `(reason IS NULL) OR status IN ('failed', 'skipped')`)
@Check('webhook_deliveries_failures_check', 'failures >= 0')
export class WebhookDelivery extends Row {
  @Column('uuid')
  @ForeignKey(() => Webhook, { onDelete: 'CASCADE', name: 'webhook_deliveries_webhook_id_fkey' })
  webhookId!: string;

  /** The event, and the id of the message in all attempts. Of a test: an id of its own. */
  @Column('uuid')
  eventId!: string;

  @Column('text')
  eventType!: string;

  /** That the event is about; of a test, its own id. Its events are sent in their order. `null`: not looked up yet. */
  @Column('uuid', { nullable: true })
  objectId!: string | null;

  /** Of the event; 0: a test. Deliveries are sent in this order. */
  @Column('bigint')
  position!: number;

  /** The body of a test, in the format `raw`; `null`: the event has it. */
  @Column('jsonb', { nullable: true })
  testPayload!: object | null;

  @EnumColumn(webhookDeliveryStatuses)
  status!: WebhookDeliveryStatus;

  /** Whether it waits beside the others, because the receiver failed for an event of its object. Counts while pending. */
  @Column('boolean', { default: false })
  setAside!: boolean;

  /** Why it was given up or skipped, in a sentence; `null`: it was not. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** Since the delivery was requested, last by `redeliver` or `recover`. */
  @Column('integer', { default: 0 })
  attemptCount!: number;

  /** Those of the attempts that failed, and after which the receiver has not said how long to wait. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** When it failed first in its turn: it is given up three days later. */
  @TimeColumn({ nullable: true })
  failingSince!: Date | null;

  /** The last attempts, at most 20, oldest first. */
  @Column('jsonb', { default: [] })
  attempts!: readonly DeliveryAttempt[];

  /** The first 4 kB of the last response; `null`: there was none. */
  @Column('text', { nullable: true })
  responseBody!: string | null;

  @TimeColumn({ nullable: true })
  lastAttemptAt!: Date | null;
}
