import { SetMetadata } from '@nestjs/common';

export const TOKEN_ONLY = 'slipway:token-only';

/**
 * This route takes a token in the header only, never the session of a page: it sends a file that a user uploaded, and
 * requests for files stay without a cookie.
 */
export function TokenOnly(): MethodDecorator {
  return SetMetadata(TOKEN_ONLY, true);
}
