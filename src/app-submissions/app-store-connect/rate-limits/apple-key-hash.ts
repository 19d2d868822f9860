import { createHash } from 'node:crypto';
import type { AppleApiKey } from '../api/apple-token.js';

/**
 * What a key is called where organizations share something of it: a SHA-256 hash in hexadecimal of issuer and key id. An
 * issuer is a UUID, so another spelling of it is the same key.
 */
export function appleKeyHash({ issuerId, keyId }: Pick<AppleApiKey, 'issuerId' | 'keyId'>): string {
  return createHash('sha256')
    .update(JSON.stringify([issuerId?.toLowerCase() ?? null, keyId]))
    .digest('hex');
}
