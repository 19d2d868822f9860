import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { lockOrThrow, updateOrThrow } from '../../database/rows.js';
import { type ChannelDeployment, requireChannel } from './channel-deployment.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentChanges } from './deployment-changes.js';
import { type Emergency, emergencyColumns } from './emergency.js';

/** Changes of a deployment to a channel by approvals and rollout plans. The caller has locked the deployment. */
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

  /** Makes a pending deployment live. @param emergency why it needs no approvals */
  async goLive({ id, channelId }: ChannelDeployment, emergency: Emergency | null): Promise<Deployment> {
    const deployment = await updateOrThrow(
      this.deployments,
      { id },
      { approvalStatus: 'approved', ...emergencyColumns(emergency) },
    );
    await this.changes.wentLive.notify({ id, channelId });
    return deployment;
  }

  /** Rejects a pending deployment: it is never delivered. */
  reject({ id }: Deployment): Promise<Deployment> {
    return updateOrThrow(this.deployments, { id }, { approvalStatus: 'rejected' });
  }

  /** Sets the share of devices, 0 to 1, for a rollout plan. */
  async setShare(id: string, rolloutPercentage: number): Promise<void> {
    await updateOrThrow(this.deployments, { id }, { rolloutPercentage });
  }
}
