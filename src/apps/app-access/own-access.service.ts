import { Injectable } from '@nestjs/common';
import { type User } from '../../accounts/users/user.entity.js';
import { toUserDto } from '../../accounts/users/user.dto.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { type RolePermission, rolePermissions, roleGrants } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { allows, covers, isScoped, type ScopeTarget } from '../../common/access/token-scope.js';
import { Config } from '../../config/config.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import { findViolation } from '../../organizations/organization-access/restrictions.js';
import { AppAccessQueries, type FirstApp, type OrganizationOfUser } from './app-access.queries.js';
import type { CreationBlock, OwnAccessDto, OwnOrganizationDto } from './own-access.dto.js';

const MAX_ORGANIZATIONS = 100;
/** Apps of each of them. */
const MAX_APPS = 100;

/** What a caller may do where: in three statements, for any number of organizations and apps. */
@Injectable()
export class OwnAccessService {
  constructor(
    private readonly users: UsersService,
    private readonly queries: AppAccessQueries,
    private readonly organizations: OrganizationAccessService,
    private readonly config: Config,
  ) {}

  /** @throws NotFoundError when the user has just been deleted */
  async read(caller: Principal): Promise<OwnAccessDto> {
    const user = await this.users.get(caller.userId);
    const memberships = await this.queries.organizationsOf(caller.userId);
    const reachable = memberships.filter(
      (membership) =>
        covers(caller.limits, { organizationId: membership.organizationId }) &&
        findViolation(membership, caller.origin) === null,
    );
    const own = await this.withApps(caller, reachable);
    return {
      user: toUserDto(user),
      organizationCreationBlockedBy: this.creationBlock(caller, user, memberships),
      organizations: own.slice(0, MAX_ORGANIZATIONS),
      totalOrganizations: own.length,
    };
  }

  private async withApps(
    caller: Principal,
    memberships: readonly OrganizationOfUser[],
  ): Promise<OwnOrganizationDto[]> {
    const all = memberships.map((membership) => this.present(caller, membership));
    const ids = all.filter(({ appPermissions }) => appPermissions.includes('apps:read')).map(({ id }) => id);
    const { userId, limits } = caller;
    // A token that is limited to apps names few of them, and shows only their organizations.
    const wanted = limits.appIds === null ? ids.slice(0, MAX_ORGANIZATIONS) : ids;
    const found = Map.groupBy(
      await this.queries.firstApps(userId, wanted, limits.appIds, MAX_APPS),
      ({ organizationId }) => organizationId,
    );
    return all
      .filter(({ id }) => limits.appIds === null || found.has(id))
      .map((organization) => ({ ...organization, ...presentApps(found.get(organization.id) ?? []) }));
  }

  private present(caller: Principal, membership: OrganizationOfUser): OwnOrganizationDto {
    const { organizationId, organizationName, role, isSuspended } = membership;
    const isBlocked = this.organizations.withoutTwoFactor(caller, membership) !== null;
    const granted = (target: ScopeTarget): RolePermission[] =>
      rolePermissions.filter(
        (permission) => roleGrants(role, permission) && allows(caller.limits, permission, target),
      );
    const [appId] = caller.limits.appIds ?? [];
    const permissions = granted({ organizationId });
    return {
      id: organizationId,
      name: permissions.includes('organizations:read') ? organizationName : null,
      role,
      blockedBy: isBlocked ? 'two_factor_required' : null,
      suspended: isSuspended,
      permissions: isBlocked ? [] : permissions,
      appPermissions: isBlocked ? [] : granted({ organizationId, ...(appId !== undefined && { appId }) }),
      apps: [],
      totalApps: 0,
    };
  }

  /** As `OrganizationsService.create` decides. */
  private creationBlock(
    { limits }: Principal,
    { emailVerified }: User,
    memberships: readonly OrganizationOfUser[],
  ): CreationBlock | null {
    const { maxPerUser } = this.config.organizations;
    if (isScoped(limits) || !allows(limits, 'account:write', {})) return 'token_limited';
    if (!emailVerified) return 'email_not_verified';
    const owned = memberships.filter(({ role }) => role === 'owner').length;
    return maxPerUser > 0 && owned >= maxPerUser ? 'organization_limit_reached' : null;
  }
}

function presentApps(apps: readonly FirstApp[]): Pick<OwnOrganizationDto, 'apps' | 'totalApps'> {
  return { apps: apps.map(({ id, name }) => ({ id, name })), totalApps: apps[0]?.total ?? 0 };
}
