import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { lockOrThrow, updateOrThrow } from '../../database/rows.js';
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
    await this.changes.wentLive.notify({ id, channelId });
    return approved;
  }

  /** Marks a pending deployment as approved. @param emergency why it needs no approvals */
  approve({ id }: Deployment, emergency: Emergency | null): Promise<Deployment> {
    const approved = { approvalStatus: 'approved' as const, ...emergencyColumns(emergency) };
    return updateOrThrow(this.deployments, { id }, approved);
  }

  /** Keeps who has overridden a freeze for it last. */
  override({ id }: Deployment, emergency: Emergency): Promise<Deployment> {
    return updateOrThrow(this.deployments, { id }, emergencyColumns(emergency));
  }

  /** Rejects a pending deployment: it is never delivered. */
  reject({ id }: Deployment): Promise<Deployment> {
    return updateOrThrow(this.deployments, { id }, { approvalStatus: 'rejected' });
  }

  /** As `reject`, if it still is pending. */
  async rejectPending(id: string): Promise<void> {
    await this.deployments.update({ id, approvalStatus: 'pending' }, { approvalStatus: 'rejected' });
  }

  /** Sets the share of devices, or of users of a store, 0 to 1. */
  async setShare(id: string, rolloutPercentage: number): Promise<void> {
    await updateOrThrow(this.deployments, { id }, { rolloutPercentage });
  }
}
