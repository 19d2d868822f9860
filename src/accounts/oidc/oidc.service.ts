import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type NewSession, SessionsService } from '../sessions/sessions.service.js';
import { SignInNotices } from '../account-mails/sign-in-notices.service.js';
import { type Role, roles } from '../../common/access/permissions.js';
import type { GroupRole } from '../../config/group-roles.js';
import { GroupSignIns } from './group-sign-ins.js';
import { IdentitiesService } from './identities.service.js';
import type { Profile } from './profile.js';

/** The user who was proved here before the sign-in. */
export interface Proven {
  readonly userId: string;
  readonly secondFactor: boolean;
}

/** Signs in users of the OpenID provider. */
@Injectable()
export class OidcService {
  constructor(
    private readonly config: Config,
    private readonly identities: IdentitiesService,
    private readonly groups: GroupSignIns,
    private readonly sessions: SessionsService,
    private readonly notices: SignInNotices,
  ) {}

  /**
   * Finds or creates the user, applies the memberships of the user's groups, and opens a session.
   *
   * @param proven `null`: the provider alone has proved the user
   * @throws LinkProofRequired when the user must be proved here first
   * @throws AppError when the profile does not suffice for a user
   */
  signIn(profile: Profile, origin: RequestOrigin, proven: Proven | null = null): Promise<NewSession> {
    const { groupRoles, name } = this.config.oidc;
    return transaction(async () => {
      const user = await this.identities.resolve(profile, name, proven?.userId ?? null);
      await this.groups.signedIn.notify(user.id, rolesOfGroups(profile.groups, groupRoles));
      await this.notices.record(user, origin);
      const provedAt = databaseNow();
      const secondFactorAt = profile.secondFactor || proven?.secondFactor ? provedAt : null;
      return this.sessions.create(user.id, 'browser', origin, { method: 'oidc', secondFactorAt, provedAt });
    });
  }
}

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
