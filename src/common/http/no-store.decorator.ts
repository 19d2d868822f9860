import { applyDecorators, Header } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** The extension of an operation whose response must not be stored, until `documentHeaders` reads and removes it. */
export const NO_STORE = 'x-no-store';

/**
 * The response contains a secret or is valid only now: it must not be stored, and has no `ETag`.
 *
 * @param options `tagged`: it has one, for `If-Match`, because the handler calls `sendVersioned`
 */
export function NoStore({ tagged = false } = {}): MethodDecorator {
  return applyDecorators(
    Header('Cache-Control', 'no-store'),
    ApiExtension(NO_STORE, tagged ? 'tagged' : 'untagged'),
  );
}
