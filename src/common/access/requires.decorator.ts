import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { ErrorDto } from '../errors/error.dto.js';
import type { Permission } from './permissions.js';

export const REQUIRES = 'slipway:requires';
export const PUBLIC = 'slipway:public';

/** The permission that the caller needs for this route. */
export function Requires(permission: Permission): MethodDecorator {
  return applyDecorators(
    SetMetadata(REQUIRES, permission),
    ApiBearerAuth(),
    ApiErrors(400),
    ApiUnauthorizedResponse({ description: 'No valid token was sent.', type: ErrorDto }),
    ApiForbiddenResponse({
      description: `The caller lacks the permission \`${permission}\`.`,
      type: ErrorDto,
    }),
  );
}

/**
 * This route needs no token. A token that is sent all the same must be valid, and the caller is then known to the
 * handler.
 */
export function Public(): MethodDecorator {
  return SetMetadata(PUBLIC, true);
}
