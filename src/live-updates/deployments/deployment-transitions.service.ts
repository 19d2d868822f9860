import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { lockOrThrow, updateOrThrow } from '../../database/rows.js';
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
    const { id, channelId } = deployment;
    const approved = await this.approve(deployment, emergency);
    await this.events.live(id, emergency?.reason ?? null);
    await this.changes.wentLive.notify({ id, channelId });
    return approved;
  }

  /** Marks a pending deployment as approved. @param emergency why it needs no approvals */
  async approve({ id }: Deployment, emergency: Emergency | null): Promise<Deployment> {
    const changes = { approvalStatus: 'approved' as const, ...emergencyColumns(emergency) };
    const approved = await updateOrThrow(this.deployments, { id }, changes);
    if (emergency !== null) await this.events.approvalsOverridden(approved, emergency.reason);
    return approved;
  }

  /** Keeps who has overridden a freeze for it last. */
  override({ id }: Deployment, emergency: Emergency): Promise<Deployment> {
    return updateOrThrow(this.deployments, { id }, emergencyColumns(emergency));
  }

  /** Rejects a pending deployment: it is never delivered. */
  reject({ id }: Deployment): Promise<Deployment> {
    return updateOrThrow(this.deployments, { id }, { approvalStatus: 'rejected' });
  }

  /** As `reject`, if it still is pending. @returns the deployment; `null`: it is not */
  async rejectPending(id: string): Promise<Deployment | null> {
    const rejected = { approvalStatus: 'rejected' } as const;
    const { affected } = await this.deployments.update({ id, approvalStatus: 'pending' }, rejected);
    return affected === 0 ? null : this.deployments.findOneBy({ id });
  }

  /**
   * Sets the share of devices, 0 to 1, of a deployment to a channel.
   *
   * @param reason why it is taken back if the share is 0
   * @param changes other columns
   */
  async setShare(
    { id, approvalStatus, rolloutPercentage: former }: ChannelDeployment,
    rolloutPercentage: number,
    reason: RollBackReason,
    changes: Partial<Deployment> = {},
  ): Promise<Deployment> {
    const changed = await updateOrThrow(this.deployments, { id }, { rolloutPercentage, ...changes });
    if (approvalStatus === 'approved') {
      if (rolloutPercentage === 0 && former > 0) await this.events.rolledBack(id, reason);
      if (rolloutPercentage > 0 && former === 0) await this.events.reachesDevices(id);
    }
    return changed;
  }
}
