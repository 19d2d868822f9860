import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';

/** A key that signs ID tokens. */
export interface SigningKey {
  readonly jwk: JsonWebKey & { readonly kid: string };
  readonly key: KeyObject;
}

/** Makes an RSA key. @param kid how the ID token names it */
export function createSigningKey(kid: string): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
  return { jwk, key: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

/** What an ID token claims. */
export function claimsOf(idToken: string): Record<string, unknown> {
  const [, payload = ''] = idToken.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

/** An ID token with these claims. @param key `null`: without a signature (`alg` is `none`) */
export function createIdToken(claims: object, key: SigningKey | null): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = key === null ? { alg: 'none' } : { alg: 'RS256', typ: 'JWT', kid: key.jwk.kid };
  const content = `${encode(header)}.${encode(claims)}`;
  const signature = key === null ? '' : sign('sha256', Buffer.from(content), key.key).toString('base64url');
  return `${content}.${signature}`;
}
