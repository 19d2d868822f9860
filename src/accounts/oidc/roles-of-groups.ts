import { type Role, roles } from '../../common/access/permissions.js';
import type { GroupRole } from '../../config/group-roles.js';

/**
 * The roles that groups give together. If groups give several roles in one organization, the first in the order of
 * `roles` wins.
 *
 * @returns the role by the id of the organization
 */
export function rolesOfGroups(
  groups: readonly string[],
  mapping: readonly GroupRole[],
): ReadonlyMap<string, Role> {
  const given = new Map<string, Role>();
  for (const { group, organizationId, role } of mapping) {
    if (!groups.includes(group)) continue;
    const id = organizationId.toLowerCase();
    const other = given.get(id);
    if (other === undefined || roles.indexOf(role) < roles.indexOf(other)) given.set(id, role);
  }
  return given;
}
