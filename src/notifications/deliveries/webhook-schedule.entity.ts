import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Webhook } from '../webhooks/webhook.entity.js';

/** When the deliveries of a webhook continue, and how its receiver has responded. Apart from the webhook, which users change. */
@Entity('webhook_schedules')
@Check('webhook_schedules_failures_check', 'failures >= 0')
@Check('webhook_schedules_unsuccessful_attempts_check', 'unsuccessful_attempts >= 0')
@Check('webhook_schedules_busy_responses_check', 'busy_responses >= 0')
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

  /** Attempts in a row, up to now, after which the receiver has said how long to wait. */
  @Column('integer', { default: 0 })
  busyResponses!: number;

  /** Since when the receiver does not work; `null`: it works. */
  @TimeColumn({ nullable: true })
  failingSince!: Date | null;

  /** Whether there is an event that says that the receiver does not work, and none yet that it works again. */
  @Column('boolean', { default: false })
  isReported!: boolean;

  /** Until when nothing is sent, because the receiver does not work. */
  @TimeColumn({ nullable: true })
  restsUntil!: Date | null;

  /** `dueAt` of a run that is planned before `restsUntil`: it sends nothing that rests. With another `dueAt`, it is past. */
  @TimeColumn({ nullable: true })
  earlyAt!: Date | null;

  /** Whether new deliveries plan a run at once, although one is planned: it is for others, or they may show that it works. */
  @Column('boolean', { default: false })
  wakes!: boolean;

  /** For how long it was planned ahead, in milliseconds. A time further in the future is that of a clock that was wrong. */
  @Column('bigint', { default: 0 })
  waitMs!: number;

  /** Of the planned run. A job with another one does nothing: it may be for the same time as one that took its place. */
  @Column('integer', { default: 0 })
  runNumber!: number;

  /** The deliveries that the receiver has rejected in a row, up to now. */
  @Column('uuid', { array: true, default: '{}' })
  rejectedIds!: readonly string[];

  /** Types of events that it has taken. */
  @Column('text', { array: true, default: '{}' })
  acceptedTypes!: readonly string[];

  /** Pending deliveries that users want to be sent now. */
  @Column('uuid', { array: true, default: '{}' })
  urgentIds!: readonly string[];

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
