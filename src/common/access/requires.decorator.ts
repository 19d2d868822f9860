import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import type { ErrorCode } from '../errors/catalogue/error-catalogue.js';
import { accountPermissions, type Permission } from './permissions.js';

export const REQUIRES = 'slipway:requires';
export const PUBLIC = 'slipway:public';
export const FOR_PAGES = 'slipway:for-pages';

/** Why a member of an organization can lack a permission there. */
export const memberErrors = [
  'address_not_allowed',
  'country_not_allowed',
  'not_authorized',
  'token_limited',
  'two_factor_required',
] as const satisfies readonly ErrorCode[];

/** The permission that the caller needs for this route. */
export function Requires(permission: Permission): MethodDecorator {
  const isOfAccount = accountPermissions.some((own) => own === permission);
  const forbidden: readonly ErrorCode[] = isOfAccount ? ['token_limited'] : memberErrors;
  return applyDecorators(
    SetMetadata(REQUIRES, permission),
    ApiExtension('x-permission', permission),
    ApiBearerAuth(),
    ApiErrors('not_authenticated', 'invalid_token', 'csrf_check_failed', ...forbidden),
  );
}

/** This route needs no token. A token that is sent must be valid. */
export function Public(): MethodDecorator {
  return applyDecorators(SetMetadata(PUBLIC, true), ApiErrors('invalid_token'));
}

/**
 * As `@Public()`, for handlers that do more for a caller with a token.
 *
 * @param options `forPages`: the session of a page counts as a token, if the request has the header of pages. Not for what
 *   devices get, nor for files
 */
export function OptionalToken({ forPages = false } = {}): MethodDecorator {
  const optional = applyDecorators(Public(), ApiSecurity({}), ApiBearerAuth());
  return forPages
    ? applyDecorators(optional, SetMetadata(FOR_PAGES, true), ApiErrors('csrf_check_failed'))
    : optional;
}
