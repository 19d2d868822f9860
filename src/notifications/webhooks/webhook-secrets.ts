import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { Webhook } from './webhook.entity.js';

/** What only Slipway and the receiver know. */
export interface OpenedWebhook {
  readonly url: string;
  /** Custom headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** What signs: the current secret first, then the previous one while it is valid; empty: nothing is signed. */
  readonly signingSecrets: readonly string[];
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

  /** Its address alone. @throws Error as `open` */
  openUrl({ id, sealedUrl }: Pick<Webhook, 'id' | 'sealedUrl'>): string {
    return this.openText(id, sealedUrl);
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
