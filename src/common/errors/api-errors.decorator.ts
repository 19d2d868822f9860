import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from './catalogue/error-catalogue.js';

/** The extension of an operation that holds its error codes until `documentErrors` reads and removes it. */
export const ERRORS = 'x-errors';

/** Where Nest keeps the extensions of a handler. */
const EXTENSIONS = 'swagger/apiExtension';

/**
 * Documents errors of a handler. Other decorators add their own: `@Requires()` 401 and 403, ids in the path 404,
 * `@IfMatch()` 412. Errors that follow from the method and the body are added by `documentErrors`.
 */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator {
  return (target, method, descriptor) => {
    const extensions = Reflect.getMetadata(EXTENSIONS, descriptor.value as object) as
      Record<string, ErrorCode[] | undefined> | undefined;
    const documented = extensions?.[ERRORS];
    // Of two extensions with one name, Nest keeps the first.
    if (documented) documented.push(...codes);
    else ApiExtension(ERRORS, codes)(target, method, descriptor);
  };
}
