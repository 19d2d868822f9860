import { PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
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
import { type WebhookFormat, webhookFormats } from './webhook.entity.js';

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 1000;

/** A new webhook of an app. */
@ApiExample({ url: 'https://hooks.example.com/slipway', events: ['*'] })
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
   * Signs the messages, in the format `raw` only: a text of 8 to 200 characters, or `whsec_` and Base64 as in Standard
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
export class UpdateWebhookDto extends PartialType(CreateWebhookDto, { skipNullProperties: false }) {}

/**
 * Changes to a webhook of an organization; absent fields stay as they are, `null` clears. A new `signingSecret` replaces the
 * old one at once. `enabled: true` clears `disabledReason`.
 */
@ApiExample({ name: 'Releases to the team chat' })
export class UpdateOrganizationWebhookDto extends PartialType(CreateOrganizationWebhookDto, {
  skipNullProperties: false,
}) {}

/** How to rotate the signing secret of a webhook. */
@ApiExample({ signingSecret: 'a long random text of yours' })
export class RotateWebhookSecretDto {
  /** The new secret. Generated if omitted. */
  @IsAbsentOr()
  @IsSigningSecret()
  signingSecret?: string;
}
