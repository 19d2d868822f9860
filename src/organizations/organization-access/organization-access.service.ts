import { Injectable } from '@nestjs/common';
import { roleGrants, type RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { allows, type LimitTarget, reaches, tokenLimited } from '../../common/access/token-limits.js';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import type { Membership } from '../members/members.queries.js';
import { MembersService } from '../members/members.service.js';
import { refusalOf } from './restrictions.js';

/** Answers "may this caller do this to that organization". */
@Injectable()
export class OrganizationAccessService {
  constructor(private readonly members: MembersService) {}

  /**
   * @throws NotFoundError when the organization does not exist, the caller is no member or the token is limited to
   *   others: all look alike
   * @throws ForbiddenError when `admit` refuses
   */
  async require(caller: Principal, organizationId: string, permission: RolePermission): Promise<void> {
    const membership = isUuid(organizationId)
      ? await this.members.membershipOf(caller.userId, organizationId)
      : null;
    if (membership === null || !reaches(caller.limits, { organizationId: membership.organizationId })) {
      throw new NotFoundError('Organization');
    }
    await this.admit(caller, membership, permission, { organizationId: membership.organizationId });
  }

  /**
   * The one place that judges a membership, whether an organization or one of its apps was asked for.
   *
   * @param target what was asked for
   * @throws ForbiddenError when the organization may not be used from where the caller is, or the caller's role or token
   *   lacks the permission
   */
  async admit(
    caller: Principal,
    membership: Membership,
    permission: RolePermission,
    target: LimitTarget,
  ): Promise<void> {
    const refusal = refusalOf(membership, caller.origin);
    if (refusal !== null) throw refusal;
    if (!roleGrants(membership.role, permission)) throw new ForbiddenError();
    if (!allows(caller.limits, permission, target)) throw tokenLimited(permission);
    if (membership.stale) await this.members.recordSeen(membership.memberId);
  }

  /**
   * Ids of the organizations in which `admit` would not refuse.
   *
   * @throws ForbiddenError when the token grants the permission in no organization at all
   */
  async organizationIds(caller: Principal, permission: RolePermission): Promise<string[]> {
    if (!allows(caller.limits, permission, {})) throw tokenLimited(permission);
    const memberships = await this.members.listOf(caller.userId);
    return memberships
      .filter((membership) => refusalOf(membership, caller.origin) === null)
      .filter(({ role }) => roleGrants(role, permission))
      .map(({ organizationId }) => organizationId)
      .filter((organizationId) => allows(caller.limits, permission, { organizationId }));
  }
}
