import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../../app-submissions/destinations/destinations.service.js';
import type { Destination } from '../../../app-submissions/destinations/destination.entity.js';
import { ReleaseActions } from '../../../app-submissions/releases/release-actions.service.js';
import { StoreReleases } from '../../../app-submissions/releases/store-releases.service.js';
import { SubmissionsService } from '../../../app-submissions/submissions/submissions.service.js';
import { AppsService } from '../../../apps/apps/apps.service.js';
import { AppError, ConflictError } from '../../../common/errors/app-error.js';
import { assertNotFrozen, freezeAt } from '../../../common/freezes/freeze.js';
import { currentActor } from '../../../database/transactions/actor.js';
import { savepoint } from '../../../database/transactions/transaction.js';
import type { Deployment } from '../../deployments/deployment.entity.js';
import { DeploymentTransitionsService } from '../../deployments/deployment-transitions.service.js';
import { RolloutPlansQueries } from '../rollout-plans.queries.js';
import type { PlanContent, PlanTarget, ShareObstacle, ShareOutcome } from './plan-target.js';
import { requireBegun, requireContent, requirePlannable } from './store-plan-rules.js';

/** Plans of deployments to Google Play: a share is a job, which ends when the store has taken it. */
@Injectable()
export class StorePlanTarget implements PlanTarget {
  constructor(
    private readonly apps: AppsService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly destinations: DestinationsService,
    private readonly submissions: SubmissionsService,
    private readonly releases: StoreReleases,
    private readonly actions: ReleaseActions,
    private readonly queries: RolloutPlansQueries,
  ) {}

  async requirePlan({ appId, id }: Deployment, content?: PlanContent): Promise<void> {
    requirePlannable(await this.submissions.get(appId, id));
    if (content !== undefined) requireContent(content, (await this.releases.getMany([id])).get(id) ?? null);
  }

  async lock({ appId, id }: Deployment): Promise<Deployment> {
    // Before the deployment, as stores do that move a release.
    await this.releases.lock(id);
    return this.transitions.lockAny(appId, id);
  }

  async requireStart(deployment: Deployment, plan: PlanContent, now: Date): Promise<void> {
    const { id, approvalStatus, sequence } = deployment;
    if (approvalStatus !== 'approved') {
      throw new ConflictError(
        `This deployment is not submitted: it is ${approvalStatus}.`,
        'deployment_not_live',
      );
    }
    if (await this.queries.hasNewerRelease(destinationOf(deployment), sequence)) {
      throw new ConflictError(
        'The destination has a newer release, so the store rolls that one out.',
        'deployment_superseded',
      );
    }
    requireBegun(plan, (await this.releases.getMany([id])).get(id) ?? null);
    await this.requireNotFrozen(deployment, now);
  }

  async requireNotFrozen(deployment: Deployment, now: Date): Promise<void> {
    assertNotFrozen(await this.get(deployment), now, 'destination');
  }

  async frozenUntil(deployment: Deployment, now: Date): Promise<Date | null> {
    return freezeAt((await this.get(deployment)).freezeWindows, now)?.until ?? null;
  }

  async setShare({ appId, id }: Deployment, share: number): Promise<ShareOutcome> {
    const change = await this.actions.request(
      await this.apps.get(appId),
      id,
      { action: 'set-rollout', userFraction: share },
      // Who starts, resumes or aborts the plan; no user when a step is due.
      { kind: 'rollout-plan', userId: currentActor()?.userId ?? null },
    );
    return { kind: change === null ? 'set' : 'requested' };
  }

  async tryShare(deployment: Deployment, share: number): Promise<ShareOutcome | ShareObstacle> {
    try {
      return await savepoint(() => this.setShare(deployment, share));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      if (error.code === 'release_busy') return { kind: 'busy' };
      return { kind: 'refused', reason: 'store', message: error.message };
    }
  }

  private get(deployment: Deployment): Promise<Destination> {
    return this.destinations.get(deployment.appId, destinationOf(deployment));
  }
}

/** @throws RangeError when it goes to a channel */
function destinationOf({ destinationId }: Deployment): string {
  if (destinationId === null) throw new RangeError('The deployment goes to a channel.');
  return destinationId;
}
