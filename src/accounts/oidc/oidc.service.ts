import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type NewSession, SessionsService } from '../sessions/sessions.service.js';
import { SignInNotices } from '../account-mails/sign-in-notices.service.js';
import { GroupSignIns } from './group-sign-ins.js';
import { IdentitiesService } from './identities.service.js';
import type { Profile } from './profile.js';
import { rolesOfGroups } from './roles-of-groups.js';

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
