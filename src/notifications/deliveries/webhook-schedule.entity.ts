import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Webhook } from '../webhooks/webhook.entity.js';

/** When the deliveries of a webhook continue, and how its receiver has responded. Apart from the webhook, which users change. */
@Entity('webhook_schedules')
@Check('webhook_schedules_failures_check', 'failures >= 0')
@Check('webhook_schedules_unsuccessful_attempts_check', 'unsuccessful_attempts >= 0')
export class WebhookSchedule {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Webhook, { onDelete: 'CASCADE', name: 'webhook_schedules_webhook_id_fkey' })
  webhookId!: string;

  /** For when its job is planned; `null`: no delivery is pending. A job for another time does nothing. */
  @TimeColumn({ nullable: true })
  dueAt!: Date | null;

  /** Attempts in a row, up to now, that say that the receiver does not work. Above 0, it gets one delivery at a time. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** When the first attempt after the last success failed; `null`: the last one has succeeded, or there was none. */
  @TimeColumn({ nullable: true })
  unsuccessfulSince!: Date | null;

  /** Since then, without a success. */
  @Column('integer', { default: 0 })
  unsuccessfulAttempts!: number;

  /** Whether the last response took so long that the webhook would hold up others. */
  @Column('boolean', { default: false })
  isSlow!: boolean;

  @TimeColumn({ nullable: true })
  lastSuccessAt!: Date | null;
}
