import { Injectable } from '@nestjs/common';
import { roleGrants, type RolePermission, rolePermissions } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { allows, type ScopeTarget, covers, insufficientScope } from '../../common/access/token-scope.js';
import { ForbiddenError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { isUuid } from '../../common/validation/uuid.js';
import type { Membership } from '../members/members.queries.js';
import { MembersService } from '../members/members.service.js';
import { findViolation, requireNotSuspended } from './restrictions.js';
import { satisfiesTwoFactor, type TwoFactorFacts, twoFactorSettings } from './two-factor.js';

/** What a caller may do in an organization. */
export interface Grants {
  /** In the organization itself. */
  readonly organization: ReadonlySet<RolePermission>;
  /** In each app that the caller sees. */
  readonly apps: ReadonlySet<RolePermission>;
  /** Whether the operator has suspended the organization: only reading works then. */
  readonly isSuspended: boolean;
}

/** Decides whether a caller may do something in an organization. */
@Injectable()
export class OrganizationAccessService {
  constructor(
    private readonly members: MembersService,
    private readonly config: Config,
  ) {}

  /**
   * @throws NotFoundError when the organization does not exist, the caller is not a member, or the token does not cover
   *   it: callers cannot tell these apart
   * @throws ForbiddenError when `authorize` refuses
   */
  async require(caller: Principal, organizationId: string, permission: RolePermission): Promise<void> {
    const membership = await this.membershipIn(caller, organizationId);
    await this.authorize(caller, membership, permission, { organizationId: membership.organizationId });
  }

  /**
   * As `require`, for lists of what belongs to apps: a token that is limited to apps may list what belongs to these.
   * Throws as `require` does.
   */
  async requireForApps(
    caller: Principal,
    organizationId: string,
    ...permissions: RolePermission[]
  ): Promise<void> {
    const membership = await this.membershipIn(caller, organizationId);
    for (const permission of permissions) await this.authorizeForApps(caller, membership, permission);
  }

  /** As `requireForApps`, of a membership that was read already. Throws as `require` does. */
  async authorizeForApps(
    caller: Principal,
    membership: Membership,
    permission: RolePermission,
  ): Promise<void> {
    const { organizationId } = membership;
    if (!covers(caller.limits, { organizationId })) throw new NotFoundError('Organization');
    const [appId] = caller.limits.appIds ?? [];
    const target = { organizationId, ...(appId === undefined ? {} : { appId }) };
    await this.authorize(caller, membership, permission, target);
  }

  /**
   * What the role and the token of a caller allow in an organization, for what the guard has let through already.
   *
   * @throws NotFoundError as `require` does
   */
  async grantsOf(caller: Principal, organizationId: string): Promise<Grants> {
    const { role, isSuspended } = await this.membershipIn(caller, organizationId);
    const [appId] = caller.limits.appIds ?? [];
    const granted = (target: ScopeTarget): Set<RolePermission> =>
      new Set(
        rolePermissions.filter(
          (permission) => roleGrants(role, permission) && allows(caller.limits, permission, target),
        ),
      );
    return {
      organization: granted({ organizationId }),
      apps: granted({ organizationId, ...(appId !== undefined && { appId }) }),
      isSuspended,
    };
  }

  /**
   * The only place that checks a membership, for an organization and for its apps.
   *
   * @param target the organization or the app
   * @throws ForbiddenError when the organization does not allow the caller's address or country, or requires a second
   *   factor, the caller's role or token lacks the permission, or the request writes and the organization is suspended
   */
  async authorize(
    caller: Principal,
    membership: Membership,
    permission: RolePermission,
    target: ScopeTarget,
  ): Promise<void> {
    const refusal = findViolation(membership, caller.origin) ?? this.withoutTwoFactor(caller, membership);
    if (refusal !== null) throw refusal;
    if (!roleGrants(membership.role, permission)) throw new ForbiddenError();
    if (!allows(caller.limits, permission, target)) throw insufficientScope(permission);
    if (caller.writes) requireNotSuspended(membership);
    if (membership.stale) await this.members.recordSeen(membership.memberId);
  }

  /**
   * Ids of the organizations in which `authorize` succeeds for all of the permissions.
   *
   * @throws ForbiddenError when the token grants one of the permissions in no organization at all
   */
  async organizationIds(caller: Principal, ...permissions: RolePermission[]): Promise<string[]> {
    const memberships = await this.reachable(caller, permissions);
    return idsOf(memberships.filter((membership) => this.withoutTwoFactor(caller, membership) === null));
  }

  /**
   * Ids of the organizations in the caller's own list: those of `organizationIds`, and those that only lack a second
   * factor, so that the caller finds out. Throws as `organizationIds` does.
   */
  async listedOrganizationIds(caller: Principal): Promise<string[]> {
    return idsOf(await this.reachable(caller, ['organizations:read']));
  }

  /** @throws InvalidRequestError when the caller has no second factor and would lock itself out */
  async requireOwnTwoFactor(caller: Principal, organizationId: string): Promise<void> {
    const membership = await this.members.membershipOf(caller.userId, organizationId);
    if (membership === null || satisfiesTwoFactor(factsOf(caller, membership))) return;
    throw invalidField(
      'twoFactorRequired',
      `twoFactorRequired would lock you out: set up two-factor authentication for yourself first at ${this.settings}.`,
    );
  }

  /** The error when the caller lacks a required second factor; `null`: it does not. */
  withoutTwoFactor(caller: Principal, membership: Membership): ForbiddenError | null {
    if (!membership.twoFactorRequired || satisfiesTwoFactor(factsOf(caller, membership))) return null;
    const message = `The organization requires two-factor authentication. Set it up at ${this.settings}.`;
    return new ForbiddenError(message, 'two_factor_required');
  }

  private async membershipIn(caller: Principal, organizationId: string): Promise<Membership> {
    const membership = isUuid(organizationId)
      ? await this.members.membershipOf(caller.userId, organizationId)
      : null;
    if (membership === null || !covers(caller.limits, { organizationId: membership.organizationId })) {
      throw new NotFoundError('Organization');
    }
    return membership;
  }

  private async reachable(caller: Principal, permissions: readonly RolePermission[]): Promise<Membership[]> {
    for (const permission of permissions) {
      if (!allows(caller.limits, permission, {})) throw insufficientScope(permission);
    }
    const memberships = await this.members.listOf(caller.userId);
    return memberships
      .filter((membership) => findViolation(membership, caller.origin) === null)
      .filter(({ role, organizationId }) =>
        permissions.every(
          (permission) =>
            roleGrants(role, permission) && allows(caller.limits, permission, { organizationId }),
        ),
      );
  }

  private get settings(): string {
    return twoFactorSettings(this.config.http.publicUrl);
  }
}

function factsOf(caller: Principal, { totpEnabled }: Membership): TwoFactorFacts {
  return { totpEnabled, secondFactorAt: caller.secondFactorAt ?? null, method: caller.method ?? null };
}

function idsOf(memberships: readonly Membership[]): string[] {
  return memberships.map(({ organizationId }) => organizationId);
}
