import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../../common/secrets/derive-key.js';
import { isUuid } from '../../../common/validation/uuid.js';
import { type NoticeKind, noticeKinds } from '../../../events/event-definition.js';

/** Where the links of mails lead to, with the token in the query. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** Bytes of the HMAC that a token has: a link must be short, and there is nothing to try but one request after the other. */
const MAC_BYTES = 16;
const pattern = /^([0-9a-f-]{36})\.([a-z]+)\.([A-Za-z0-9_-]{22})$/;

/** Which mails a link switches off, and whose. */
export interface Subscription {
  readonly userId: string;
  readonly kind: NoticeKind;
}

/**
 * Makes and reads the tokens in links that switch mails off without a sign-in: the user's id, the kind and an HMAC-SHA256 of
 * both. They do not expire, because mails do not, and are good for nothing else.
 */
export class UnsubscribeTokens {
  private readonly keys: readonly Buffer[];

  /** @param encryptionKeys the key that signs, then older ones; each 32 bytes in Base64 */
  constructor(encryptionKeys: readonly string[]) {
    this.keys = encryptionKeys.map((key) => deriveKey(key, 'unsubscribe links'));
  }

  make({ userId, kind }: Subscription): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('An encryption key is required.');
    const content = `${userId}.${kind}`;
    return `${content}.${macOf(key, content).toString('base64url')}`;
  }

  /** @returns `null` when the token was not made here, or with a key that is no longer known */
  read(token: string): Subscription | null {
    const [, userId = '', name = '', mac = ''] = pattern.exec(token) ?? [];
    const kind = noticeKinds.find((each) => each === name);
    if (kind === undefined || !isUuid(userId)) return null;
    const sent = Buffer.from(mac, 'base64url');
    const isGenuine = this.keys.some((key) => timingSafeEqual(macOf(key, `${userId}.${kind}`), sent));
    return isGenuine ? { userId, kind } : null;
  }
}

function macOf(key: Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, MAC_BYTES);
}
