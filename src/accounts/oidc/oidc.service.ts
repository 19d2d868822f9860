import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transaction.js';
import { type NewSession, SessionsService } from '../sessions/sessions.service.js';
import { GroupMemberships } from './group-memberships.js';
import { IdentitiesService } from './identities.service.js';
import type { Profile } from './profile.js';
import { rolesOfGroups } from './roles-of-groups.js';

/** Signs in whom the OpenID provider knows. */
@Injectable()
export class OidcService {
  constructor(
    private readonly config: Config,
    private readonly identities: IdentitiesService,
    private readonly memberships: GroupMemberships,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Finds or makes the user, gives it the memberships of its groups, and begins a session.
   *
   * @throws AppError when somebody with this profile cannot be a user
   */
  signIn(profile: Profile, origin: RequestOrigin): Promise<NewSession> {
    const { groupRoles, name } = this.config.oidc;
    return transaction(async () => {
      const user = await this.identities.resolve(profile, name);
      await this.memberships.apply(user.id, rolesOfGroups(profile.groups, groupRoles));
      const secondFactorAt = profile.secondFactor ? new Date() : null;
      return this.sessions.create(user.id, 'browser', origin, { method: 'oidc', secondFactorAt });
    });
  }
}
