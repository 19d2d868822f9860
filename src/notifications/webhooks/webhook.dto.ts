import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { databaseNow } from '../../common/database-clock.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import {
  IsEventTypes,
  IsFilterIds,
  IsSigningSecret,
  IsWebhookHeaders,
  IsWebhookUrl,
} from '../webhook-fields/webhook-fields.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { RefuseUnknownFields } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type Webhook,
  type WebhookDisabledReason,
  webhookDisabledReasons,
  type WebhookFormat,
  webhookFormats,
  type WebhookOrdering,
  webhookOrderings,
} from './webhook.entity.js';

/** An address that gets events of an app, or of an organization and its apps. */
@ApiExample({ url: 'https://hooks.example.com/slipway', events: ['*'], format: 'raw', enabled: true })
export class WebhookDto {
  @ApiId()
  id!: string;

  /** The app; `null`: it belongs to the organization. */
  @ApiId()
  appId!: string | null;

  @ApiId()
  organizationId!: string;

  /** @example 'Releases to the team chat' */
  name!: string;

  /** For people. */
  description!: string | null;

  /** The address of a chat is a credential: anyone who has it can post there. */
  @ApiProperty({ format: 'uri' })
  url!: string;

  /**
   * Types of events; `*`: all.
   * @example ['app_deployment_created']
   */
  events!: string[];

  @ApiProperty({ enum: webhookFormats, enumName: 'WebhookFormat' })
  format!: WebhookFormat;

  /**
   * The order in which it gets events. `object`: those of each object, such as a deployment, in their order; an event that
   * its receiver fails for holds up only those of its object. `strict`: all in the order of their positions.
   */
  @ApiProperty({ enum: webhookOrderings, enumName: 'WebhookOrdering' })
  ordering!: WebhookOrdering;

  /** Whether it gets events. */
  enabled!: boolean;

  /**
   * Why Slipway disabled it: `gone`: the receiver responded with 410; `failing`: nothing was delivered for five days;
   * `app-transferred`: its app moved to another organization. `null`: it is enabled, or a user has disabled it.
   */
  @ApiProperty({ type: 'string', enum: [...webhookDisabledReasons, null], nullable: true })
  disabledReason!: WebhookDisabledReason | null;

  /** Only events of these apps; empty: those of all apps, and of the organization itself. Empty for webhooks of apps. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  appIds!: string[];

  /** Only events that concern these channels; empty: all events. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  channelIds!: string[];

  /**
   * Names of its custom headers, in alphabetical order.
   * @example ['Authorization']
   */
  headerNames!: string[];

  /** Whether its messages are signed. */
  hasSigningSecret!: boolean;

  /** Until when messages are also signed with the secret from before the last rotation; `null`: they are not. */
  @ApiTime()
  previousSigningSecretExpiresAt!: string | null;

  /** When the first attempt to deliver after the last success failed; `null`: the last one succeeded, or there was none. */
  @ApiTime()
  failingSince!: string | null;

  /** When a message was last delivered. */
  @ApiTime()
  lastSuccessAt!: string | null;

  /** Events that were given up, or rejected, and are kept, up to 10,000; a success does not forget them. */
  @ApiProperty({ type: 'integer' })
  undelivered!: number;

  /** When the oldest of them was to be sent: `POST …/recover` with this as `since` sends them all. `null`: there are none. */
  @ApiTime()
  undeliveredSince!: string | null;

  /**
   * The request that lists them; `null`: there are none.
   * @example 'GET /v1/apps/0199b0c2-7c1e-70d0-a4bf-eb7d64b71c74/webhooks/0199b0c2-7c1e-7f1a-a39e-7b1c2d3e4f50/deliveries?status=failed'
   */
  undeliveredRequest!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;

  /** What else a change has removed; absent: nothing. Only the response to the change contains it. */
  warning?: string;
}

/** A webhook whose secret was rotated. */
@ApiExample({ signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' })
export class RotatedWebhookDto extends WebhookDto {
  /** The new secret, if Slipway generated it. Only this response contains it. */
  signingSecret?: string;
}

/** What is known of a webhook besides its own row. */
export interface WebhookFacts {
  readonly url: string;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly undelivered: number;
  readonly undeliveredSince: Date | null;
}

/** The response for a webhook. */
export function toWebhookDto(webhook: Webhook, facts: WebhookFacts): WebhookDto {
  const { previousSigningSecretExpiresAt: expiresAt } = webhook;
  return {
    id: webhook.id,
    appId: webhook.appId,
    organizationId: webhook.organizationId,
    name: webhook.name,
    description: webhook.description,
    url: facts.url,
    events: [...webhook.events],
    format: webhook.format,
    ordering: webhook.ordering,
    enabled: webhook.enabled,
    disabledReason: webhook.disabledReason,
    appIds: [...webhook.appIds],
    channelIds: [...webhook.channelIds],
    headerNames: [...webhook.headerNames],
    hasSigningSecret: webhook.sealedSigningSecret !== null,
    previousSigningSecretExpiresAt:
      expiresAt !== null && expiresAt > databaseNow() ? expiresAt.toISOString() : null,
    failingSince: facts.failingSince?.toISOString() ?? null,
    lastSuccessAt: facts.lastSuccessAt?.toISOString() ?? null,
    undelivered: facts.undelivered,
    undeliveredSince: facts.undeliveredSince?.toISOString() ?? null,
    undeliveredRequest: facts.undelivered === 0 ? null : `GET ${pathOf(webhook)}/deliveries?status=failed`,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

function pathOf({ id, appId, organizationId }: Webhook): string {
  const owner = appId === null ? `organizations/${organizationId}` : `apps/${appId}`;
  return `/v1/${owner}/webhooks/${id}`;
}

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 1000;

/** A new webhook of an app. */
@ApiExample({ url: 'https://hooks.example.com/slipway', events: ['*'] })
@RefuseUnknownFields(RotatedWebhookDto)
export class CreateWebhookDto {
  /**
   * For people.
   * @example 'Releases to the team chat'
   */
  @IsName(MAX_NAME_LENGTH)
  name!: string;

  /**
   * The address that gets the events, by `https`. Addresses of private networks, and `http`, need an operator's
   * [permission](security.md#outbound-calls). It is stored encrypted.
   */
  @IsWebhookUrl()
  url!: string;

  /** Types of events, from `GET /v1/event-types`; `*`: all, also those of later versions. */
  @IsEventTypes()
  events!: string[];

  /** The form of the messages: `raw` is JSON for programs, the others are for incoming webhooks of chats. Default: `raw`. */
  @IsAbsentOr()
  @IsOneOf(webhookFormats, 'WebhookFormat')
  format?: WebhookFormat;

  /**
   * The order in which it gets events: `object`: those of each object in their order; `strict`: all in the order of their
   * positions. Default: `object`.
   */
  @IsAbsentOr()
  @IsOneOf(webhookOrderings, 'WebhookOrdering')
  ordering?: WebhookOrdering;

  /**
   * Signs the messages, in the format `raw` only: a text of at most 200 characters, or `whsec_` and Base64 as in Standard
   * Webhooks. Never returned.
   */
  @IsNullable()
  @IsSigningSecret({ nullable: true })
  signingSecret?: string | null;

  /** For people. */
  @IsNullable()
  @IsText(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  /** Headers that are sent with each message, such as `Authorization`; at most 10. Their values are never returned. */
  @IsNullable()
  @IsWebhookHeaders()
  headers?: Record<string, string> | null;

  /** Whether it gets events. Default: true. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  enabled?: boolean;

  /** Only events that concern these channels; empty: all events. */
  @IsAbsentOr()
  @IsFilterIds('channels')
  channelIds?: string[];
}

/** A new webhook of an organization. */
@ApiExample({ url: 'https://hooks.example.com/slipway', events: ['*'] })
@RefuseUnknownFields(RotatedWebhookDto)
export class CreateOrganizationWebhookDto extends CreateWebhookDto {
  /** Only events of these apps; empty: those of all apps, and of the organization itself. */
  @IsAbsentOr()
  @IsFilterIds('apps')
  appIds?: string[];
}

/**
 * Changes to a webhook of an app; absent fields stay as they are, `null` clears. A new `signingSecret` replaces the old one
 * at once. `enabled: true` clears `disabledReason`.
 */
@ApiExample({ name: 'Releases to the team chat' })
@RefuseUnknownFields(RotatedWebhookDto, 'webhookId')
export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {}

/**
 * Changes to a webhook of an organization; absent fields stay as they are, `null` clears. A new `signingSecret` replaces the
 * old one at once. `enabled: true` clears `disabledReason`.
 */
@ApiExample({ name: 'Releases to the team chat' })
@RefuseUnknownFields(RotatedWebhookDto, 'webhookId')
export class UpdateOrganizationWebhookDto extends PartialType(CreateOrganizationWebhookDto, {
  skipNullProperties: false,
}) {}

/** How to rotate the signing secret of a webhook. */
@ApiExample({ signingSecret: 'a long random text of yours' })
@RefuseUnknownFields(RotatedWebhookDto, 'webhookId')
export class RotateWebhookSecretDto {
  /** The new secret. Generated if omitted. */
  @IsAbsentOr()
  @IsSigningSecret()
  signingSecret?: string;
}

/** Which webhooks to list. */
export class ListWebhooksQuery extends PageQuery {
  /** Only webhooks whose name or id contains this text, ignoring case. */
  @QueryText()
  query?: string;
}
