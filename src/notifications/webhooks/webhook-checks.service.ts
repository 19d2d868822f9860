import { Injectable } from '@nestjs/common';
import { invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { Outbound } from '../../common/http/outbound/outbound.js';
import { OutboundRefusedError } from '../../common/http/outbound/outbound-refused.error.js';
import { Config } from '../../config/config.js';
import { EventCatalogue } from '../../events/event-catalogue.js';
import { reservedHeader } from '../webhook-fields/webhook-headers.js';
import { haveOneOrigin } from '../webhook-fields/webhook-url.js';
import type { UpdateOrganizationWebhookDto } from './webhook.dto.js';
import { WebhookChannels } from './webhook-channels.js';
import type { WebhookOwner } from './webhook-owner.js';
import type { Webhook, WebhookFormat } from './webhook.entity.js';
import { WebhookSecrets } from '../webhook-fields/webhook-secrets.js';
import { WebhooksQueries } from './webhooks.queries.js';

/** In `events`: all types, also those of later versions. */
const EVERY_TYPE = '*';

/** What a request about a webhook may say, beyond the form of its fields. */
@Injectable()
export class WebhookChecks {
  constructor(
    private readonly outbound: Outbound,
    private readonly catalogue: EventCatalogue,
    private readonly channels: WebhookChannels,
    private readonly queries: WebhooksQueries,
    private readonly secrets: WebhookSecrets,
    private readonly config: Config,
  ) {}

  /**
   * Call it in the transaction of the change. Ids and types that the webhook has already stay valid when the objects or
   * types are gone.
   *
   * @param before `null`: the webhook is new
   * @throws InvalidRequestError
   * @throws NotFoundError when a filter names an app or a channel that the owner does not have
   */
  async requireValid(
    owner: WebhookOwner,
    before: Webhook | null,
    dto: UpdateOrganizationWebhookDto,
  ): Promise<void> {
    const { url, headers, events = [], appIds = [], channelIds = [] } = dto;
    if (url !== undefined) this.requireCallable(url);
    this.requireEvents(owner, without(events, before?.events));
    if (headers != null) this.requireOwnHeaders(Object.keys(headers));
    if (before !== null && url !== undefined && headers === undefined) this.keepHeaders(before, url);
    this.requireSignable(before, dto);
    const apps = without(appIds, before?.appIds);
    if (apps.length > 0 && !(await this.queries.lockApps(owner.organizationId, apps))) {
      throw new NotFoundError('App');
    }
    const channels = without(channelIds, before?.channelIds);
    if (channels.length > 0 && !(await this.channels.areChannels(owner, channels))) {
      throw new NotFoundError('Channel');
    }
  }

  /** @throws InvalidRequestError when messages of this format are not signed */
  requireSignedFormat(format: WebhookFormat): void {
    if (format !== 'raw') throw invalidField('signingSecret', unsigned(format));
  }

  private requireCallable(url: string): void {
    try {
      this.outbound.check('webhook', url);
    } catch (error) {
      if (!(error instanceof OutboundRefusedError)) throw error;
      throw invalidField('url', `url cannot be used: ${error.reason}`);
    }
  }

  private requireEvents({ appId }: WebhookOwner, types: readonly string[]): void {
    for (const type of types) {
      if (type === EVERY_TYPE) continue;
      const definition = this.catalogue.find(type);
      if (definition === undefined) {
        throw invalidField(
          'events',
          `events must not hold ${type}: there is no such type. GET /v1/event-types lists all.`,
        );
      }
      if (appId !== null && definition.of === 'organization') {
        throw invalidField(
          'events',
          `events must not hold ${type}: it is about the organization. Create a webhook of the organization for it.`,
        );
      }
    }
  }

  /** The name of the signature's header is a setting. */
  private requireOwnHeaders(names: readonly string[]): void {
    const signatureHeader = this.config.events.signatureHeader.toLowerCase();
    const reserved = names.find((name) => name.toLowerCase() === signatureHeader);
    if (reserved !== undefined) throw invalidField('headers', reservedHeader(reserved));
  }

  /** Headers may hold credentials, which no other server gets because an address was changed. */
  private keepHeaders(before: Webhook, url: string): void {
    if (before.sealedHeaders === null || haveOneOrigin(this.secrets.showUrl(before), url)) return;
    throw invalidField(
      'headers',
      'headers are required in the same request when url leads to another server: send them again, or null.',
    );
  }

  private requireSignable(before: Webhook | null, dto: UpdateOrganizationWebhookDto): void {
    const format = dto.format ?? before?.format ?? 'raw';
    const signs =
      dto.signingSecret === undefined
        ? (before?.sealedSigningSecret ?? null) !== null
        : dto.signingSecret !== null;
    if (format === 'raw' || !signs) return;
    throw invalidField('signingSecret', unsigned(format));
  }
}

function without<T>(values: readonly T[], known: readonly T[] = []): T[] {
  return values.filter((value) => !known.includes(value));
}

function unsigned(format: WebhookFormat): string {
  return `signingSecret must be absent or null: messages in the format ${format} are not signed.`;
}
