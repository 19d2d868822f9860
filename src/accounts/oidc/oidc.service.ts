import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Client } from '../../common/http/client.js';
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
    private readonly database: DataSource,
    private readonly identities: IdentitiesService,
    private readonly memberships: GroupMemberships,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Finds or makes the user, gives it the memberships of its groups, and begins a session.
   *
   * @throws AppError when somebody with this profile cannot be a user
   */
  signIn(profile: Profile, client: Client): Promise<NewSession> {
    const { groupRoles, name } = this.config.oidc;
    return transaction(this.database, async (tx) => {
      const user = await this.identities.resolve(tx, profile, name);
      await this.memberships.apply(tx, user.id, rolesOfGroups(profile.groups, groupRoles));
      const secondFactorAt = profile.secondFactor ? new Date() : null;
      return this.sessions.create(user.id, 'browser', client, { method: 'oidc', secondFactorAt }, tx);
    });
  }
}
