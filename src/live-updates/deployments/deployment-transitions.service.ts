import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { lockOrThrow, updateOrThrow } from '../../database/rows.js';
import { currentActor } from '../../database/transactions/actor.js';
import { DeploymentEventsQueries } from '../deployment-events/deployment-events.queries.js';
import { DeploymentEvents } from '../deployment-events/deployment-events.service.js';
import type { RollBackReason } from '../deployment-events/deployment-event.dto.js';
import { type ChannelDeployment, requireChannel } from './channel-deployment.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentChanges } from './deployment-changes.js';
import { type Emergency, emergencyColumns } from './emergency.js';

/** Changes of a deployment by approvals, rollout plans and stores. The caller has locked the deployment. */
@Injectable()
export class DeploymentTransitionsService {
  constructor(
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
    private readonly changes: DeploymentChanges,
    private readonly events: DeploymentEvents,
    private readonly queries: DeploymentEventsQueries,
  ) {}

  /** Locks a deployment until the transaction ends. @throws NotFoundError @throws InvalidRequestError when it goes to a store */
  async lock(appId: string, id: string): Promise<ChannelDeployment> {
    return requireChannel(await lockOrThrow(this.deployments, { appId, id }));
  }

  /** As `lock`, wherever it goes. @throws NotFoundError */
  lockAny(appId: string, id: string): Promise<Deployment> {
    return lockOrThrow(this.deployments, { appId, id });
  }

  /** Makes a pending deployment to a channel live. @param emergency why it needs no approvals */
  async goLive(deployment: ChannelDeployment, emergency: Emergency | null): Promise<Deployment> {
    const approved = await this.approve(deployment, emergency, reachOf(deployment.rolloutPercentage));
    await this.wentLive(approved, emergency);
    return approved;
  }

  /** Says that a deployment to a channel is live from now on. @param emergency why it needed no approvals */
  async wentLive(deployment: Deployment, emergency: Emergency | null): Promise<void> {
    const { id, channelId } = requireChannel(deployment);
    await this.events.live(id, emergency?.reason ?? null);
    await this.reachesDevices(deployment);
    await this.changes.wentLive.notify({ id, channelId });
  }

  /** Marks a pending deployment as approved. @param emergency why it needs no approvals @param changes other columns */
  async approve(
    deployment: Deployment,
    emergency: Emergency | null,
    changes: DeploymentColumns = {},
  ): Promise<Deployment> {
    const approval = { approvalStatus: 'approved' as const, ...emergencyColumns(emergency) };
    const approved = await this.change(deployment, { ...approval, ...changes });
    if (emergency !== null) await this.events.approvalsOverridden(approved, emergency.reason);
    return approved;
  }

  /** Keeps who has overridden a freeze for it last. */
  override(deployment: Deployment, emergency: Emergency): Promise<Deployment> {
    return this.change(deployment, emergencyColumns(emergency));
  }

  /** Keeps what a user says about a change that a store has yet to make. @param comment `null`: forgets it */
  comment(deployment: Deployment, comment: string | null): Promise<Deployment> {
    return this.change(deployment, { comment });
  }

  /** Rejects a pending deployment: it is never delivered. */
  reject(deployment: Deployment): Promise<Deployment> {
    return this.change(deployment, { approvalStatus: 'rejected' });
  }

  /** As `reject`, if it still is pending. @returns the deployment; `null`: it is not */
  async rejectPending(id: string): Promise<Deployment | null> {
    const rejected = { approvalStatus: 'rejected', ...changedBy() } as const;
    const { affected } = await this.deployments.update({ id, approvalStatus: 'pending' }, rejected);
    return affected === 0 ? null : this.deployments.findOneBy({ id });
  }

  /**
   * Sets the share of devices, 0 to 1, of a deployment to a channel.
   *
   * @param reason why it is taken back if the share is 0
   * @param changes other columns, such as what a user says
   */
  async setShare(
    deployment: ChannelDeployment,
    rolloutPercentage: number,
    reason: RollBackReason,
    changes: DeploymentColumns = {},
  ): Promise<Deployment> {
    const { id, approvalStatus, rolloutPercentage: former } = deployment;
    const isLive = approvalStatus === 'approved';
    const takenBackAt = rolloutPercentage === 0 ? databaseNow() : undefined;
    const reach =
      isLive && rolloutPercentage !== former ? { takenBackAt, ...reachOf(rolloutPercentage) } : {};
    const changed = await this.change(deployment, { rolloutPercentage, ...reach, ...changes });
    if (isLive && rolloutPercentage === 0 && former > 0) {
      await this.events.rolledBack(id, reason, changes.comment ?? null);
    }
    if (isLive && rolloutPercentage > 0 && former === 0) await this.reachesDevices(changed);
    return changed;
  }

  /** The health gate of its plan has stopped a deployment: it is no good one, unless it reaches all devices later. */
  stop(deployment: Deployment): Promise<Deployment> {
    return this.change(deployment, { takenBackAt: databaseNow() });
  }

  /** Devices get a live deployment, if its share is above 0: that may take back what the channel delivered before. */
  private async reachesDevices({ id, comment }: Deployment): Promise<void> {
    const takenBack = await this.queries.takenBackBy(id);
    if (takenBack === null) return;
    await this.deployments.update({ id: takenBack }, { takenBackAt: databaseNow(), ...changedBy() });
    await this.events.rolledBack(takenBack, 'older-build', comment, id);
  }

  private change({ id }: Deployment, changes: DeploymentColumns): Promise<Deployment> {
    return updateOrThrow(this.deployments, { id }, { ...changes, ...changedBy() });
  }
}

/** Columns to change; `undefined` leaves one unchanged. */
type DeploymentColumns = { readonly [Column in keyof Deployment]?: Deployment[Column] | undefined };

/**
 * What a live deployment remembers of a share that it begins with or gets.
 *
 * @param share 0 to 1
 */
export function reachOf(share: number): Partial<Pick<Deployment, 'reachedAllAt' | 'takenBackAt'>> {
  return share === 1 ? { reachedAllAt: databaseNow(), takenBackAt: null } : {};
}

function changedBy(): Pick<Deployment, 'updatedByUserId'> {
  return { updatedByUserId: currentActor()?.userId ?? null };
}
