import type { Webhook } from '../../webhooks/webhook.entity.js';

/** What decides where and how messages are sent. */
type SendingParts = Pick<Webhook, 'enabled' | 'sealedUrl' | 'sealedHeaders' | 'sealedSigningSecret'>;

/** Whether a receiver that did not work with a webhook as it was before may work now. */
export function mayHelp(before: SendingParts, after: SendingParts): boolean {
  return (
    !before.enabled ||
    before.sealedUrl !== after.sealedUrl ||
    before.sealedHeaders !== after.sealedHeaders ||
    before.sealedSigningSecret !== after.sealedSigningSecret
  );
}
