import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { parseWebhookUrl } from './webhook-url.js';
import type { Webhook } from '../webhooks/webhook.entity.js';

/** What only Slipway and the receiver know. */
export interface OpenedWebhook {
  readonly url: string;
  /** Custom headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** What signs: the current secret first, then the previous one while it is valid; empty: nothing is signed. */
  readonly signingSecrets: readonly string[];
}

/** Columns to write; `undefined` leaves them unchanged. */
export type WebhookColumns = { -readonly [Name in keyof Webhook]?: Webhook[Name] | undefined };

/** What a request says of what is sealed; `undefined`: nothing. */
interface SecretFields {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
  readonly signingSecret?: string | null | undefined;
}

type SealedWebhook = Pick<
  Webhook,
  | 'id'
  | 'sealedUrl'
  | 'sealedHeaders'
  | 'sealedSigningSecret'
  | 'sealedPreviousSigningSecret'
  | 'previousSigningSecretExpiresAt'
>;

/** Seals and opens the secrets of webhooks. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly secrets: SecretBox) {}

  /** @param webhookId it opens for this webhook only */
  seal(webhookId: string, text: string): string {
    return this.secrets.seal(text, contextOf(webhookId));
  }

  /**
   * @param now when the previous signing secret must still be valid
   * @throws Error when the encryption key is no longer configured
   */
  open(webhook: SealedWebhook, now = new Date()): OpenedWebhook {
    const { sealedHeaders, previousSigningSecretExpiresAt: expiresAt } = webhook;
    const previous = expiresAt !== null && expiresAt > now ? webhook.sealedPreviousSigningSecret : null;
    const signing = [webhook.sealedSigningSecret, previous].filter((sealed) => sealed !== null);
    return {
      url: this.openText(webhook.id, webhook.sealedUrl),
      headers: sealedHeaders === null ? {} : this.openHeaders(webhook.id, sealedHeaders),
      signingSecrets: signing.map((sealed) => this.openText(webhook.id, sealed)),
    };
  }

  /** Its address alone; only the host when the encryption key is no longer configured, so that people can mend it. */
  showUrl({ id, sealedUrl, host }: Pick<Webhook, 'id' | 'sealedUrl' | 'host'>): string {
    try {
      return this.openText(id, sealedUrl);
    } catch {
      return `https://${host}/`;
    }
  }

  /**
   * The columns of what a request says. A signing secret replaces all others immediately.
   *
   * @param fields valid
   */
  columnsOf(webhookId: string, { url, headers, signingSecret }: SecretFields): WebhookColumns {
    return {
      ...(url !== undefined && this.urlColumns(webhookId, url)),
      ...(headers !== undefined && this.headerColumns(webhookId, headers ?? {})),
      ...(signingSecret !== undefined && {
        sealedSigningSecret: signingSecret === null ? null : this.seal(webhookId, signingSecret),
        sealedPreviousSigningSecret: null,
        previousSigningSecretExpiresAt: null,
      }),
    };
  }

  private urlColumns(webhookId: string, text: string): WebhookColumns {
    const parsed = parseWebhookUrl(text);
    if (parsed === null) throw new Error('The address of a webhook was not validated.');
    return { sealedUrl: this.seal(webhookId, parsed.url), host: parsed.host };
  }

  private headerColumns(webhookId: string, headers: Readonly<Record<string, string>>): WebhookColumns {
    const headerNames = Object.keys(headers).sort();
    const sealedHeaders = headerNames.length === 0 ? null : this.seal(webhookId, JSON.stringify(headers));
    return { headerNames, sealedHeaders };
  }

  private openHeaders(webhookId: string, sealed: string): Record<string, string> {
    return JSON.parse(this.openText(webhookId, sealed)) as Record<string, string>;
  }

  private openText(webhookId: string, sealed: string): string {
    return this.secrets.open(sealed, contextOf(webhookId));
  }
}

function contextOf(webhookId: string): string {
  return `webhooks:${webhookId}`;
}
