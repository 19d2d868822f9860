import { ApiProperty } from '@nestjs/swagger';
import { databaseNow } from '../../common/database-clock.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type Webhook,
  type WebhookDisabledReason,
  webhookDisabledReasons,
  type WebhookFormat,
  webhookFormats,
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

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
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
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}
