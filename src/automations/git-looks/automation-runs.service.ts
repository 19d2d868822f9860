import { Injectable } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import type { App } from '../../apps/apps/app.entity.js';
import { RepositoryRefsService } from '../../apps/repository/repository-refs.service.js';
import type { RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { ConflictError, errorOf, invalidField } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import {
  BuildCreationService,
  type StartedBuild,
} from '../../native-builds/builds/build-creation.service.js';
import type { Automation } from '../automations/automation.entity.js';
import { AutomationsService } from '../automations/automations.service.js';
import { triggerMatcher, wholeRef } from '../automations/trigger.js';
import { AutomationAuthority } from './automation-authority.service.js';
import { Gate } from './gate.service.js';

/** Builds of automations that people ask for. */
@Injectable()
export class AutomationRuns {
  constructor(
    private readonly automations: AutomationsService,
    private readonly authority: AutomationAuthority,
    private readonly gate: Gate,
    private readonly repositories: RepositoryRefsService,
    private readonly creation: BuildCreationService,
    private readonly access: AppAccessService,
  ) {}

  /**
   * Finds what to build, and checks it. Call it outside of transactions.
   *
   * @returns starts the build, in the running transaction
   * @throws NotFoundError
   * @throws ConflictError when the automation is disabled, or may no longer do what it does
   * @throws InvalidRequestError when the automation does not match the ref, or the repository does not have it
   * @throws ForbiddenError when the caller or the automation may not do what it does
   */
  async prepare(
    caller: Principal,
    app: App,
    id: string,
    gitRef: string,
  ): Promise<() => Promise<StartedBuild>> {
    const automation = await this.automations.get(app.id, id);
    requireEnabled(automation);
    const ref = wholeRef(automation, gitRef.trim());
    if (!triggerMatcher(automation)(ref)) {
      throw invalidField('gitRef', `gitRef must be one that the automation matches: ${ref} is none.`);
    }
    const lost = await this.authority.findLost(automation);
    if (lost !== null) throw new ConflictError(lost, 'automation_disabled');
    const commit = await this.repositories.resolveRef(app.id, ref, caller.userId);
    const require = async (permission: RolePermission): Promise<void> => {
      await this.access.require(caller, app.id, permission);
      await this.authority.require(automation, permission);
    };
    const starter = {
      userId: caller.userId,
      require,
      automation: { id, scope: automation.scope, isRequested: true, commit },
    };
    const create = await this.creation.prepareFor(starter, app, this.gate.bodyOf(automation, ref));
    return () =>
      transaction(async () => {
        if (!(await this.automations.lockUnchanged(automation))) {
          throw new ConflictError(
            'The automation was changed at the same time. Try again.',
            'automation_disabled',
          );
        }
        const { commitSha } = commit;
        return this.gate.start(automation, { ref, sha: commitSha }, commitSha, create, true);
      });
  }
}

/** @throws ConflictError */
function requireEnabled({ enabled, stoppedReason }: Automation): void {
  if (enabled) return;
  throw stoppedReason === null
    ? errorOf('automation_disabled')
    : new ConflictError(stoppedReason, 'automation_disabled');
}
