import { ForbiddenError } from '../errors/app-error.js';
import { isAccountPermission, type Permission, type TokenPermissions } from './permissions.js';

/** How much of what its user may do a token allows. It never allows more than the user's role. */
export interface TokenScope {
  readonly permissions: TokenPermissions;
  /** The only organizations that the token can see, in lower case; `null`: all of the user's. */
  readonly organizationIds: readonly string[] | null;
  /** The only apps that the token can see, in lower case; `null`: all of the user's. */
  readonly appIds: readonly string[] | null;
  /** From then on the token is not valid; `null`: never. */
  readonly expiresAt: Date | null;
}

/** A scope without its end: what is kept of a token for work that it has asked for. */
export type CopiedScope = Omit<TokenScope, 'expiresAt'>;

/** The limits of what acts as its user without any. */
export const unscoped: TokenScope = {
  permissions: 'all',
  organizationIds: null,
  appIds: null,
  expiresAt: null,
};

/** The object that a permission is checked for. `{}`: any. */
export interface ScopeTarget {
  readonly organizationId?: string;
  readonly appId?: string;
}

/** Whether the target is within the limits; what is not looks as if it did not exist. */
export function covers(limits: CopiedScope, { organizationId, appId }: ScopeTarget): boolean {
  return isAmong(limits.organizationIds, organizationId) && isAmong(limits.appIds, appId);
}

/**
 * Whether a token with these limits allows something; whether its user's role does is another question.
 *
 * A token that is limited to apps can do nothing with the organization itself except list these apps: otherwise it
 * could add members and be as good as unlimited.
 */
export function allows(limits: CopiedScope, permission: Permission, target: ScopeTarget): boolean {
  if (!grants(limits.permissions, permission) || !covers(limits, target)) return false;
  if (limits.appIds === null || target.appId !== undefined) return true;
  return isAccountPermission(permission) || permission === 'apps:read';
}

/** Whether the limits name organizations or apps. */
export function isScoped(limits: TokenScope): boolean {
  return limits.organizationIds !== null || limits.appIds !== null;
}

/**
 * Whether the first limits are at most as wide as the second, now and with permissions to come: `read-only` is within
 * no list, because it grows with the permissions that there are.
 */
export function isSubsetOf(inner: TokenScope, outer: TokenScope): boolean {
  return (
    permissionsWithin(inner.permissions, outer.permissions) &&
    idsWithin(inner.organizationIds, outer.organizationIds) &&
    idsWithin(inner.appIds, outer.appIds) &&
    (outer.expiresAt === null || (inner.expiresAt !== null && inner.expiresAt <= outer.expiresAt))
  );
}

/** 403: the user may do this, but not with this token. */
export function insufficientScope(permission: Permission): ForbiddenError {
  return new ForbiddenError(`The token does not allow ${permission} here.`, 'token_limited');
}

function grants(granted: TokenPermissions, permission: Permission): boolean {
  if (granted === 'all') return true;
  return granted === 'read-only' ? permission.endsWith(':read') : granted.includes(permission);
}

function permissionsWithin(inner: TokenPermissions, outer: TokenPermissions): boolean {
  if (typeof inner === 'string') return outer === 'all' || outer === inner;
  return inner.every((permission) => grants(outer, permission));
}

function idsWithin(inner: readonly string[] | null, outer: readonly string[] | null): boolean {
  return outer === null || (inner !== null && inner.every((id) => outer.includes(id)));
}

function isAmong(ids: readonly string[] | null, id: string | undefined): boolean {
  return ids === null || id === undefined || ids.includes(id);
}
