import { applyDecorators, Header } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** Marks an operation of the document whose answer must not be kept; `documentHeaders` reads and removes it. */
export const NO_STORE = 'x-no-store';

/** The answer holds a secret, or holds for this moment only: it must not be kept anywhere, and has no `ETag`. */
export function NoStore(): MethodDecorator {
  return applyDecorators(Header('Cache-Control', 'no-store'), ApiExtension(NO_STORE, true));
}
