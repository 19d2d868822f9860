import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const RATE_LIMIT = 'slipway:rate-limit';

/**
 * What a route counts, where it is not the usual: calls of one token, or of one address without a token.
 *
 * - `none`: nothing.
 * - `devices`: only calls with a token. Without one it is a device, and any number of them share an address.
 * - `sign-in`: calls of one address, with and without a token, apart from others.
 * - `sign-in-polling`: as `sign-in`, for programs that wait for a person's decision.
 */
export type RateLimitedBy = 'none' | 'devices' | 'sign-in' | 'sign-in-polling';

/** Counts the calls of a route in another way than the usual one. Tokens that are not valid count everywhere. */
export function RateLimit(by: RateLimitedBy): MethodDecorator {
  return applyDecorators(SetMetadata(RATE_LIMIT, by), ApiExtension('x-rate-limit', by));
}
