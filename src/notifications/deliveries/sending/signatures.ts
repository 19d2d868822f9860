import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';

export interface SignedMessage {
  /** The same in all attempts. */
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** Before the Base64 text of a secret in the format of Standard Webhooks. */
const PREFIX = 'whsec_';

/**
 * The headers of Standard Webhooks: a signature for each secret that is valid, so that receivers can be changed from one to
 * the other.
 *
 * @param secrets without one, only what identifies the message
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  const { id, at, body } = message;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    ...(secrets.length > 0 && {
      'webhook-signature': secrets.map((secret) => signerOf(secret).sign(id, at, body)).join(' '),
    }),
  };
}

/** The signature of the contract: HMAC-SHA256 (RFC 2104) of the body, with the text of the secret. */
export function contractSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** After `whsec_`, Base64 has the bytes of the key; the UTF-8 bytes of any other text are the key. */
function signerOf(secret: string): StandardWebhook {
  if (secret.startsWith(PREFIX)) {
    try {
      return new StandardWebhook(secret);
    } catch {
      // It only begins like one.
    }
  }
  return new StandardWebhook(Buffer.from(secret), { format: 'raw' });
}
