import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { ApiErrorAs, ApiErrors } from '../errors/api-errors.decorator.js';
import type { Permission } from './permissions.js';

export const REQUIRES = 'slipway:requires';
export const PUBLIC = 'slipway:public';

/** The permission that the caller needs for this route. */
export function Requires(permission: Permission): MethodDecorator {
  return applyDecorators(
    SetMetadata(REQUIRES, permission),
    ApiExtension('x-permission', permission),
    ApiBearerAuth(),
    ApiErrors(400, 401),
    ApiErrorAs(403, `The caller lacks the permission \`${permission}\`.`),
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
    ApiErrorAs(401, 'The token is not valid, or one is needed here.'),
  );
}
