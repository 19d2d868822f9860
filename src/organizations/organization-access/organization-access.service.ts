import { Injectable } from '@nestjs/common';
import { roleGrants, type RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { allows, reaches, tokenLimited } from '../../common/access/token-limits.js';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { MembersService } from '../members/members.service.js';

/** Answers "may this caller do this to that organization". */
@Injectable()
export class OrganizationAccessService {
  constructor(private readonly members: MembersService) {}

  /**
   * @throws NotFoundError when the organization does not exist, the caller is no member or the token is limited to
   *   others: all look alike
   * @throws ForbiddenError when the caller's role or token lacks the permission
   */
  async require(caller: Principal, organizationId: string, permission: RolePermission): Promise<void> {
    const role = isUuid(organizationId) ? await this.members.roleOf(caller.userId, organizationId) : null;
    const target = { organizationId: organizationId.toLowerCase() };
    if (role === null || !reaches(caller.limits, target)) throw new NotFoundError('Organization');
    if (!roleGrants(role, permission)) throw new ForbiddenError();
    if (!allows(caller.limits, permission, target)) throw tokenLimited(permission);
  }

  /**
   * Ids of the organizations in which the caller's role and token grant the permission.
   *
   * @throws ForbiddenError when the token grants it in no organization at all
   */
  async organizationIds(caller: Principal, permission: RolePermission): Promise<string[]> {
    if (!allows(caller.limits, permission, {})) throw tokenLimited(permission);
    const members = await this.members.listOf(caller.userId);
    return members
      .filter(({ role }) => roleGrants(role, permission))
      .map(({ organizationId }) => organizationId)
      .filter((organizationId) => allows(caller.limits, permission, { organizationId }));
  }
}
