import { createPublicKey } from 'node:crypto';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { Satisfies } from '../../common/validation/satisfies.decorator.js';

/** As many as a change of keys needs, with devices of several years in the field. */
export const MAX_PUBLIC_KEYS = 10;
/** Shorter ones count as broken; longer ones cost more than they protect. */
const MIN_BITS = 2048;
const MAX_BITS = 8192;
const MAX_PEM_LENGTH = 4096;
/** A private key must not come here, though its public key could be computed from it. */
const PEM = /^\s*-----BEGIN (RSA )?PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END (RSA )?PUBLIC KEY-----\s*$/;

/** At most ten RSA public keys of 2,048 to 8,192 bits, as PEM. */
export function IsPublicKeys(): PropertyDecorator {
  const message = `$property must hold RSA public keys of ${MIN_BITS} to ${MAX_BITS} bits as PEM.`;
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', maxLength: MAX_PEM_LENGTH },
      maxItems: MAX_PUBLIC_KEYS,
    }),
    Satisfies((value) => toPublicKey(value) !== null, message, { each: true }),
    ArrayMaxSize(MAX_PUBLIC_KEYS, { message: `$property must hold at most ${MAX_PUBLIC_KEYS} keys.` }),
    IsArray({ message: '$property must be a list.' }),
  );
}

/** The keys as one and the same text each (PEM, `SubjectPublicKeyInfo`), without repetitions. */
export function normalizePublicKeys(pems: readonly string[]): string[] {
  return [...new Set(pems.flatMap((pem) => toPublicKey(pem) ?? []))];
}

function toPublicKey(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_PEM_LENGTH || !PEM.test(value)) return null;
  try {
    const key = createPublicKey(value.trim());
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
    const isStrong = modulusLength >= MIN_BITS && modulusLength <= MAX_BITS;
    // 65537 in practice. Huge ones make verifying slow; even ones and 1 are no keys.
    const isUsual = publicExponent > 1n && publicExponent < 1n << 33n && publicExponent % 2n === 1n;
    if (key.asymmetricKeyType !== 'rsa' || !isStrong || !isUsual) return null;
    return key.export({ type: 'spki', format: 'pem' }).toString();
  } catch {
    return null;
  }
}
