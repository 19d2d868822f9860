import type { Principal } from '../../common/access/principal.js';
import { isSubsetOf, type TokenScope } from '../../common/access/token-scope.js';
import { ForbiddenError } from '../../common/errors/app-error.js';
import type { UpdateTokenDto } from './update-token.dto.js';

/** The limits in a row of a token. */
export function scopeOf({ permissions, organizationIds, appIds, expiresAt }: TokenScope): TokenScope {
  return { permissions, organizationIds, appIds, expiresAt };
}

/** The limits after a change; fields that are absent stay. */
export function changedScope(limits: TokenScope, changes: UpdateTokenDto): TokenScope {
  const { permissions, organizationIds, appIds, expiresAt } = changes;
  return {
    permissions: permissions ?? limits.permissions,
    organizationIds: organizationIds === undefined ? limits.organizationIds : organizationIds,
    appIds: appIds === undefined ? limits.appIds : appIds,
    expiresAt: expiresAt === undefined ? limits.expiresAt : expiresAt,
  };
}

/** @throws ForbiddenError when the limits are wider than those of the caller's own token */
export function requireSubset(limits: TokenScope, caller: Principal): void {
  if (isSubsetOf(limits, caller.limits)) return;
  throw new ForbiddenError(
    'The token may manage only tokens that are at most as wide as itself and expire no later.',
    'token_limited',
  );
}
