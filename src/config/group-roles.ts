import { type Role, roles } from '../common/access/permissions.js';
import { Satisfies } from '../common/validation/satisfies.decorator.js';
import { isUuid } from '../common/validation/uuid.js';

/** The role that members of a group of the OpenID provider get. */
export interface GroupRole {
  /** The name of the group in the claim. */
  readonly group: string;
  /** A UUID. */
  readonly organizationId: string;
  readonly role: Role;
}

/** A list of roles in organizations, each for the members of one group. */
export function IsGroupRoles(): PropertyDecorator {
  return Satisfies(
    (value) => problemOf(value) === null,
    ({ value }) => `$property must be ${problemOf(value)}`,
  );
}

/** @returns the rule that the value violates; `null`: none */
function problemOf(value: unknown): string | null {
  if (!Array.isArray(value)) return 'a JSON array of {"group", "organizationId", "role"}';
  for (const [index, entry] of (value as unknown[]).entries()) {
    const { group, organizationId, role } = (entry ?? {}) as Partial<Record<keyof GroupRole, unknown>>;
    const where = `(entry ${index + 1} of ${value.length})`;
    if (typeof group !== 'string' || group === '') return `a list in which every group is a text ${where}`;
    if (typeof organizationId !== 'string' || !isUuid(organizationId)) {
      return `a list in which every organizationId is a UUID ${where}`;
    }
    if (!(roles as readonly unknown[]).includes(role)) {
      return `a list in which every role is one of ${roles.join(', ')} ${where}`;
    }
  }
  return null;
}
