import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME, exampleId } from '../../common/openapi/example-values.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { RefuseUnknownFields } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type WebhookDelivery,
  type WebhookDeliveryStatus,
  webhookDeliveryStatuses,
} from './webhook-delivery.entity.js';

const MAX_REASON_LENGTH = 500;

/** A delivery that has arrived. */
const example = {
  eventType: 'app_channel_paused',
  position: 17,
  status: 'succeeded',
  reason: null,
  setAside: false,
  attemptCount: 1,
  lastAttemptAt: EXAMPLE_TIME,
  lastStatus: 200,
} as const;

/** One event for one webhook. */
@ApiExample(example)
export class WebhookDeliveryDto {
  /** The receiver gets it in the header `X-Capawesome-Delivery`. */
  @ApiId()
  id!: string;

  @ApiId()
  webhookId!: string;

  /** The event. The receiver gets it in the header `webhook-id`, the same in all attempts. */
  @ApiId()
  eventId!: string;

  /** @example 'app_channel_paused' */
  eventType!: string;

  /** Of the event in its organization; 0: a test. */
  @ApiProperty({ type: 'integer' })
  position!: number;

  /**
   * `pending`: it waits to be sent, or tried again; `failed`: it is undelivered, and `recover` sends it; `skipped`: a user
   * does not want it to be sent.
   */
  @ApiProperty({ enum: webhookDeliveryStatuses, enumName: 'WebhookDeliveryStatus' })
  status!: WebhookDeliveryStatus;

  /** Why it failed, in a sentence, or why a user skipped it; `null`: neither. */
  reason!: string | null;

  /**
   * Whether it waits beside the others, which are sent: the receiver fails for an event of its object. `position` says the
   * true order.
   */
  setAside!: boolean;

  /** Attempts since it was last requested. */
  @ApiProperty({ type: 'integer' })
  attemptCount!: number;

  @ApiTime()
  lastAttemptAt!: string | null;

  /** HTTP status of the last response; `null`: there was none. */
  @ApiProperty({ type: 'integer', nullable: true })
  lastStatus!: number | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** One attempt to deliver. */
export class DeliveryAttemptDto {
  @ApiTime()
  at!: string;

  /** HTTP status of the response; `null`: there was none. */
  @ApiProperty({ type: 'integer', nullable: true })
  status!: number | null;

  /** From the start of the call to its end, in milliseconds. */
  @ApiProperty({ type: 'integer' })
  durationMs!: number;

  /** What went wrong, in a sentence; `null`: nothing. */
  error!: string | null;
}

/** A delivery with everything that is known of it. */
@ApiExample({
  ...example,
  attempts: [{ at: EXAMPLE_TIME, status: 200, durationMs: 84, error: null }],
  responseBody: 'ok',
  payload: {
    event: 'app_channel_paused',
    data: {
      appChannelId: exampleId('Channel'),
      appChannelName: 'production',
      pausedAt: EXAMPLE_TIME,
      expiresAt: null,
    },
    type: 'app_channel_paused',
    id: exampleId('Event'),
    epoch: null,
    position: 17,
    createdAt: EXAMPLE_TIME,
    organizationId: exampleId('Organization'),
    appId: exampleId('App'),
    objectId: exampleId('Channel'),
    channelId: exampleId('Channel'),
    userId: exampleId('User'),
  },
})
export class WebhookDeliveryDetailsDto extends WebhookDeliveryDto {
  /** When the webhook, or the object that is set aside, is tried again; `null`: the delivery is not pending. */
  @ApiTime()
  nextAttemptAt!: string | null;

  /** The last 20 attempts, oldest first. */
  attempts!: DeliveryAttemptDto[];

  /** The first 4 kB of the last response; `null`: there was none. */
  responseBody!: string | null;

  /** What is sent in the format `raw`; other formats are made of the same. `null`: the event has been deleted. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  payload!: object | null;
}

/** The response for a delivery. */
export function toWebhookDeliveryDto(delivery: WebhookDelivery): WebhookDeliveryDto {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    position: delivery.position,
    status: delivery.status,
    reason: delivery.reason,
    setAside: delivery.setAside && delivery.status === 'pending',
    attemptCount: delivery.attemptCount,
    lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
    lastStatus: delivery.attempts.at(-1)?.status ?? null,
    createdAt: delivery.createdAt.toISOString(),
    updatedAt: delivery.updatedAt.toISOString(),
  };
}

/** The response for one delivery. @param payload in the format `raw`; `null`: the event has been deleted */
export function toWebhookDeliveryDetailsDto(
  delivery: WebhookDelivery,
  nextAttemptAt: Date | null,
  payload: object | null,
): WebhookDeliveryDetailsDto {
  return {
    ...toWebhookDeliveryDto(delivery),
    nextAttemptAt: delivery.status === 'pending' ? (nextAttemptAt?.toISOString() ?? null) : null,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt })),
    responseBody: delivery.responseBody,
    payload,
  };
}

/** Which deliveries to list. All filters must hold. */
export class ListWebhookDeliveriesQuery extends PageQuery {
  /** Only deliveries with this status. */
  @IsEmptyOr()
  @IsOneOf(webhookDeliveryStatuses, 'WebhookDeliveryStatus')
  status?: WebhookDeliveryStatus;

  /** Only deliveries of events of this type, such as `job_finished`, or `webhook_test`. */
  @QueryText()
  event?: string;

  /** Only deliveries that were created at or after this time. */
  @IsEmptyOr()
  @IsDateInput()
  from?: Date;

  /** Only deliveries that were created before this time. */
  @IsEmptyOr()
  @IsDateInput()
  to?: Date;
}

/** What is sent again. */
@ApiExample({ requested: 42, continueFrom: null })
export class RecoveryDto {
  /** Number of deliveries that are pending by this request. */
  requested!: number;

  /** There are more: send the request again with this as `since`. `null`: these were all. */
  @ApiTime()
  continueFrom!: string | null;
}

/** From when on events are sent again that were not delivered. */
@ApiExample({ since: '2026-01-15T08:00:00.000Z' })
@RefuseUnknownFields(RecoveryDto, 'webhookId')
export class RecoverWebhookDto {
  /** At most `EVENT_RETENTION_DAYS` ago. Events from before the webhook was created are not sent. */
  @IsDateInput()
  since!: Date;
}

/** Why a delivery is skipped. */
@ApiExample({ reason: 'The receiver cannot read this event, and does not need it.' })
@RefuseUnknownFields(WebhookDeliveryDto, 'webhookId')
export class SkipDeliveryDto {
  /** For people; the audit log has it, too. */
  @IsName(MAX_REASON_LENGTH)
  reason!: string;
}
