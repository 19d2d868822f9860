import { Injectable } from '@nestjs/common';
import { roleGrants, type RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { MembersService } from '../members/members.service.js';

/** Answers "may this caller do this to that organization". */
@Injectable()
export class OrganizationAccessService {
  constructor(private readonly members: MembersService) {}

  /**
   * @throws NotFoundError when the organization does not exist or the caller is no member: the two look alike
   * @throws ForbiddenError when the caller's role lacks the permission
   */
  async require(caller: Principal, organizationId: string, permission: RolePermission): Promise<void> {
    const role = isUuid(organizationId) ? await this.members.roleOf(caller.userId, organizationId) : null;
    if (role === null) throw new NotFoundError('Organization');
    if (!roleGrants(role, permission)) throw new ForbiddenError();
  }

  /** Ids of the organizations in which the caller's role grants the permission. */
  async organizationIds(caller: Principal, permission: RolePermission): Promise<string[]> {
    const members = await this.members.listOf(caller.userId);
    return members
      .filter(({ role }) => roleGrants(role, permission))
      .map(({ organizationId }) => organizationId);
  }
}
