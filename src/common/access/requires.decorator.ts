import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiSecurity, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { ErrorDto } from '../errors/error.dto.js';
import type { Permission } from './permissions.js';

export const REQUIRES = 'slipway:requires';
export const PUBLIC = 'slipway:public';

/** The permission that the caller needs for this route. */
export function Requires(permission: Permission): MethodDecorator {
  return applyDecorators(
    SetMetadata(REQUIRES, permission),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({ description: 'No valid token was sent.', type: ErrorDto }),
    ApiForbiddenResponse({
      description: `The caller lacks the permission \`${permission}\`.`,
      type: ErrorDto,
    }),
  );
}

/** This route needs no token. One that is sent all the same must be valid. */
export function Public(): MethodDecorator {
  return SetMetadata(PUBLIC, true);
}

/** As `@Public()`, for handlers that do more for a caller whom they know. */
export function OptionalToken(): MethodDecorator {
  return applyDecorators(
    Public(),
    ApiSecurity({}),
    ApiBearerAuth(),
    ApiUnauthorizedResponse({
      description: 'The token is not valid, or one is needed here.',
      type: ErrorDto,
    }),
  );
}
