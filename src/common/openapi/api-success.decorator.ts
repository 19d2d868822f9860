import { ApiExtension } from '@nestjs/swagger';

/** The extension of an operation that holds its sentence until `documentSuccesses` reads and removes it. */
export const SUCCESS = 'x-success';

/**
 * Describes the successful response of a handler, where the sentence that follows from the method and the type does not:
 * see `documentSuccesses`.
 *
 * @param description a sentence, such as `The token with its new secret.`
 */
export function ApiSuccess(description: string): MethodDecorator {
  return ApiExtension(SUCCESS, description);
}
