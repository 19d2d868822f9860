import { databaseNow } from '../../common/database-clock.js';
import type { TokenPermissions } from '../../common/access/permissions.js';
import { showTime } from '../../pages/views/times.js';
import { programName } from '../sessions/program-name.js';
import type { Token } from '../tokens/token.entity.js';

/** When and from where a token was last used. */
export function lastUseOf({ lastUsedAt, lastUsedAddress, lastUsedClient }: Token): string {
  if (lastUsedAt === null) return 'never used';
  const address = lastUsedAddress === null ? '' : ` from ${lastUsedAddress}`;
  const program = lastUsedClient === null ? '' : ` by ${programName(lastUsedClient)}`;
  return `last used ${showTime(lastUsedAt)}${address}${program}`;
}

export function expiryOf({ expiresAt }: Token): string {
  if (expiresAt === null) return 'does not expire';
  return `${isExpired(expiresAt) ? 'expired' : 'expires'} ${showTime(expiresAt)}`;
}

/** What a token may do, as far as its permissions say. */
export function permissionsOf(permissions: TokenPermissions): string {
  if (permissions === 'all') return 'all permissions';
  return permissions === 'read-only' ? 'read only' : permissions.join(', ');
}

/**
 * The organizations or apps that a token is limited to.
 *
 * @param kind such as `app`
 * @param known names by id; others were deleted, or are among those that are not listed
 * @returns `null`: it is not limited
 */
export function limitOf(
  kind: string,
  ids: readonly string[] | null,
  known: ReadonlyMap<string, string>,
): string | null {
  if (ids === null) return null;
  const names = ids.flatMap((id) => known.get(id) ?? []);
  const others = ids.length - names.length;
  const rest = others === 0 ? [] : [`${others} other ${kind}${others === 1 ? '' : 's'}`];
  return `only ${[...names, ...rest].join(', ')}`;
}

function isExpired(expiresAt: Date): boolean {
  return expiresAt < databaseNow();
}
