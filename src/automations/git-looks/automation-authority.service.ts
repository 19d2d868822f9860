import { Injectable } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { RepositoryRefsService } from '../../apps/repository/repository-refs.service.js';
import type { RolePermission } from '../../common/access/permissions.js';
import { unscoped } from '../../common/access/token-scope.js';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { deliveryPermissions } from '../automations/automation-settings.service.js';
import type { Automation } from '../automations/automation.entity.js';
import { GitLooksQueries } from './git-looks.queries.js';

/** What an automation may do: what its user may, within the scope of the token that saved it. */
@Injectable()
export class AutomationAuthority {
  constructor(
    private readonly queries: GitLooksQueries,
    private readonly access: AppAccessService,
    private readonly repositories: RepositoryRefsService,
  ) {}

  /** @throws NotFoundError @throws ForbiddenError */
  async require(automation: Automation, permission: RolePermission): Promise<void> {
    const { savedByUserId, appId, scope } = automation;
    if (savedByUserId === null) throw new ForbiddenError('The user who saved the automation was deleted.');
    await this.access.requireMember(savedByUserId, appId, permission, scope ?? unscoped);
  }

  /**
   * Why an automation may no longer do what it does, in a sentence; `null`: it may.
   *
   * @throws AppNotLinkedError
   */
  async findLost(automation: Automation): Promise<string | null> {
    const { savedByUserId, tokenId, appId } = automation;
    if (savedByUserId === null) return 'The user who saved it was deleted.';
    const lost = await this.queries.findLostIdentity(savedByUserId, tokenId);
    if (lost !== null) return lost;
    for (const permission of ['builds:write', ...deliveryPermissions(automation)] as const) {
      try {
        await this.require(automation, permission);
      } catch (error) {
        if (error instanceof NotFoundError) return 'The user who saved it cannot see the app any more.';
        if (!(error instanceof ForbiddenError)) throw error;
        return `The user who saved it, or the token, lacks the permission ${permission}.`;
      }
    }
    return this.repositories.findLostUse(appId, savedByUserId);
  }
}
