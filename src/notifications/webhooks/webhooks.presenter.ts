import { Injectable } from '@nestjs/common';
import { type RotatedWebhookDto, toWebhookDto, type WebhookDto } from './webhook.dto.js';
import type { Webhook } from './webhook.entity.js';
import { WebhookSecrets } from '../webhook-fields/webhook-secrets.js';
import type { ChangedWebhook } from './webhooks.service.js';
import { WebhooksQueries } from './webhooks.queries.js';

const unknown = { failingSince: null, lastSuccessAt: null, undelivered: 0, undeliveredSince: null };

/** Presents webhooks, with the state of their receivers in one statement for any number of them. */
@Injectable()
export class WebhooksPresenter {
  constructor(
    private readonly queries: WebhooksQueries,
    private readonly secrets: WebhookSecrets,
  ) {}

  async present(webhooks: readonly Webhook[]): Promise<WebhookDto[]> {
    const health = await this.queries.health(webhooks.map(({ id }) => id));
    return webhooks.map((webhook) => {
      const known = health.get(webhook.id) ?? unknown;
      return toWebhookDto(webhook, { ...known, url: this.secrets.showUrl(webhook) });
    });
  }

  async presentOne(webhook: Webhook): Promise<WebhookDto> {
    const [dto] = await this.present([webhook]);
    return dto as WebhookDto;
  }

  /** A webhook after a change, with its warning if there is one. */
  async presentChanged({ webhook, warning }: ChangedWebhook): Promise<WebhookDto> {
    const dto = await this.presentOne(webhook);
    return warning === null ? dto : { ...dto, warning };
  }

  /** @param generated the secret that Slipway has made; `null`: the caller has brought it */
  async presentRotated(webhook: Webhook, generated: string | null): Promise<RotatedWebhookDto> {
    const dto = await this.presentOne(webhook);
    return generated === null ? dto : { ...dto, signingSecret: generated };
  }
}
