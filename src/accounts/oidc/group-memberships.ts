import type { Role } from '../../common/access/permissions.js';

/** What a sign-in needs from organizations, which are downstream. */
export abstract class GroupMemberships {
  /**
   * Makes a user a member of these organizations, in these roles, and ends memberships from groups that the user has
   * left. The last owner of an organization stays one.
   *
   * @param roles by the id of the organization; ids of organizations that do not exist are skipped
   */
  abstract apply(userId: string, roles: ReadonlyMap<string, Role>): Promise<void>;
}
