import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { DestinationsService } from '../../../app-submissions/destinations/destinations.service.js';
import { ReleaseActions } from '../../../app-submissions/releases/release-actions.service.js';
import type { WantedChange } from '../../../app-submissions/releases/release-rules.js';
import { StoreReleases } from '../../../app-submissions/releases/store-releases.service.js';
import { SubmissionsService } from '../../../app-submissions/submissions/submissions.service.js';
import type { App } from '../../../apps/apps/app.entity.js';
import { databaseNow } from '../../../common/database-clock.js';
import type { IfMatch } from '../../../common/etags/if-match.js';
import { assertNotFrozen } from '../../../common/freezes/freeze.js';
import { changeIfMatch } from '../../../database/if-match.js';
import { findOrThrow } from '../../../database/rows.js';
import { currentActor } from '../../../database/transactions/actor.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { DeploymentChanges } from '../deployment-changes.js';
import { DeploymentTransitionsService } from '../deployment-transitions.service.js';
import { Deployment } from '../deployment.entity.js';
import type { Emergency } from '../emergency.js';
import { StoreDeploymentTransitions } from './store-deployment-transitions.service.js';

/** How a person changes a release. */
export interface HowToChange {
  readonly ifMatch?: IfMatch | undefined;
  /** Overrides a freeze. */
  readonly emergency?: Emergency | null | undefined;
  /** What the person says; `null`: forgets what was said before. */
  readonly comment?: string | null | undefined;
}

/**
 * Changes of releases in stores that people request: each is a job. The same request again finds the same change. All throw
 * what `ReleaseActions.request` throws, a NotFoundError, a PreconditionFailedError, and a ConflictError during a freeze.
 */
@Injectable()
export class StoreReleaseRequests {
  constructor(
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
    private readonly actions: ReleaseActions,
    private readonly releases: StoreReleases,
    private readonly submissions: SubmissionsService,
    private readonly destinations: DestinationsService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly stores: StoreDeploymentTransitions,
    private readonly changes: DeploymentChanges,
  ) {}

  /** Changes the share of users, which ends the rollout plan. @param share 0 to 1 */
  setShare(app: App, id: string, share: number, how: HowToChange): Promise<Deployment> {
    return this.request(app, id, { action: 'set-rollout', userFraction: share }, how);
  }

  /** Releases a version that the App Store has approved. */
  release(app: App, id: string, how: Pick<HowToChange, 'emergency'>): Promise<Deployment> {
    return this.request(app, id, { action: 'release' }, how);
  }

  /** Takes a version out of the review of the App Store. No freeze keeps it from that. */
  withdraw(app: App, id: string): Promise<Deployment> {
    return this.request(app, id, { action: 'withdraw' }, {});
  }

  private request(app: App, id: string, change: WantedChange, how: HowToChange): Promise<Deployment> {
    const where = { appId: app.id, id };
    return transaction(async () => {
      const userId = currentActor()?.userId ?? null;
      await findOrThrow(this.deployments, where);
      if (stops(change) && userId !== null) await this.actions.makeWayToStop(id, userId);
      // The release is locked before its deployment, which follows it.
      await this.releases.lock(id);
      return changeIfMatch(this.deployments, where, how.ifMatch, async () => {
        const deployment = await this.transitions.lockAny(app.id, id);
        const open = (await this.submissions.openChangesOf([id])).get(id);
        const requested = await this.actions.request(app, id, change, { kind: 'user', userId });
        if (requested !== null && requested.id !== open?.id) {
          await this.requested(deployment, change, how.emergency ?? null);
          if (how.comment !== undefined) await this.transitions.comment(deployment, how.comment);
        }
        return findOrThrow(this.deployments, where);
      });
    });
  }

  /** The change is new. An error undoes it. */
  private async requested(
    deployment: Deployment,
    change: WantedChange,
    emergency: Emergency | null,
  ): Promise<void> {
    const { id, appId, destinationId } = deployment;
    if (emergency === null && reachesMore(change)) {
      const destination = await this.destinations.get(appId, destinationId ?? '');
      assertNotFrozen(destination, databaseNow(), 'destination');
    }
    if (change.action === 'set-rollout') await this.changes.shareChanged.notify(id);
    if (emergency === null) return;
    await this.transitions.override(deployment, emergency);
    await this.stores.recordOverride(deployment, emergency, change.action);
  }
}

/** Whether no other user gets the release from now on, which is often urgent. */
function stops({ action, userFraction }: WantedChange): boolean {
  return action === 'set-rollout' && userFraction === 0;
}

/** Whether users get the release that do not have it. A share only grows, or is 0: then it stops. */
function reachesMore({ action, userFraction = 1 }: WantedChange): boolean {
  return action === 'release' || (action === 'set-rollout' && userFraction > 0);
}
