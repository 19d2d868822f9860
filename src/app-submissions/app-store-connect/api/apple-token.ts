import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { StoreRefusal } from '../../calls/refusals/refusal.js';

export interface AppleApiKey {
  readonly keyId: string;
  /** `null`: an individual key. */
  readonly issuerId: string | null;
  /** EC on the curve P-256, PKCS#8. */
  readonly privateKeyPem: string;
}

/** Apple takes tokens of twenty minutes at most. */
export const TOKEN_SECONDS = 19 * 60;

/**
 * Signs a token for App Store Connect.
 *
 * @returns one that is valid for 19 minutes
 * @throws StoreRefusal when the key cannot be used
 */
export async function signAppleToken(
  { keyId, issuerId, privateKeyPem }: AppleApiKey,
  now = new Date(),
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const token = new SignJWT(issuerId === null ? { sub: 'user' } : { iss: issuerId })
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setAudience('appstoreconnect-v1')
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + TOKEN_SECONDS);
  try {
    return await token.sign(createPrivateKey({ key: privateKeyPem, format: 'pem' }));
  } catch {
    throw new StoreRefusal(
      {
        code: 'store_key_unusable',
        sentence:
          'The private key of the destination cannot be used: it is no EC key of the curve P-256. Create an API key in App Store Connect, upload its .p8 and set it at the destination; a retry with this one does not help.',
        retry: 'never',
      },
      0,
      null,
    );
  }
}
