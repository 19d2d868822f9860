import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Role, roleGrants, type RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { allows, reaches, tokenLimited } from '../../common/access/token-limits.js';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Member } from '../../organizations/members/member.entity.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';
import { App } from '../apps/app.entity.js';

/** Answers "may this caller do this to that app": the only place that joins apps, members and teams. */
@Injectable()
export class AppAccessService {
  constructor(private readonly database: DataSource) {}

  /**
   * @returns the app
   * @throws NotFoundError when the app does not exist or the caller cannot see it: the two look alike
   * @throws ForbiddenError when the caller's role or token lacks the permission
   */
  async require(caller: Principal, appId: string, permission: RolePermission): Promise<App> {
    const found = isUuid(appId) ? await this.find(caller.userId, appId) : null;
    if (found === null) throw new NotFoundError('App');
    const target = { organizationId: found.app.organizationId, appId: found.app.id };
    if (!reaches(caller.limits, target)) throw new NotFoundError('App');
    if (!roleGrants(found.role, permission)) throw new ForbiddenError();
    if (!allows(caller.limits, permission, target)) throw tokenLimited(permission);
    return found.app;
  }

  private async find(userId: string, appId: string): Promise<{ app: App; role: Role } | null> {
    const { entities, raw } = await this.database
      .getRepository(App)
      .createQueryBuilder('app')
      .innerJoin(Member, 'member', 'member.organizationId = app.organizationId AND member.userId = :userId')
      .addSelect('member.role', 'role')
      .where('app.id = :appId', { appId, userId })
      .andWhere(withinTeams)
      .getRawAndEntities<{ role: Role }>();
    return entities[0] && raw[0] ? { app: entities[0], role: raw[0].role } : null;
  }
}
