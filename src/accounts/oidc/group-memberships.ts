import type { Role } from '../../common/access/permissions.js';

/** What a sign-in asks of organizations, which live downstream. */
export abstract class GroupMemberships {
  /**
   * Makes a user a member of these organizations, in these roles, and ends the memberships that groups gave before and
   * do not give any more. The last owner of an organization stays one.
   *
   * @param roles by the id of the organization; those that do not exist are passed over
   */
  abstract apply(userId: string, roles: ReadonlyMap<string, Role>): Promise<void>;
}
