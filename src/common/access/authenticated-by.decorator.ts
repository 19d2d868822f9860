import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { ApiErrors } from '../errors/api-errors.decorator.js';

export const AUTHENTICATED_BY = 'slipway:authenticated-by';

/** The extension of an operation that names its kind of token. */
export const AUTHENTICATED_BY_EXTENSION = 'x-authenticated-by';

/** Tokens that identify no user: of a runner (`slr_…`), and of the job that a runner works on (`slj_…`). */
export const machineTokens = ['runner', 'job'] as const;
export type MachineToken = (typeof machineTokens)[number];

/**
 * This route is for machines. A guard of its controller, a `MachineTokenGuard`, authenticates and counts the request;
 * tokens of users are refused. There is no principal, so the request runs in no transaction of `WriteInterceptor` and
 * its response is not stored: repeating it must be harmless.
 */
export function AuthenticatedBy(by: MachineToken): MethodDecorator {
  return applyDecorators(
    SetMetadata(AUTHENTICATED_BY, by),
    ApiExtension(AUTHENTICATED_BY_EXTENSION, by),
    ApiSecurity(by),
    ApiErrors('not_authenticated', 'invalid_token'),
  );
}
