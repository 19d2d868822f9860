import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import { assertNotFrozen } from '../../../common/freezes/freeze.js';
import { ChannelsService } from '../../channels/channels.service.js';
import { requireChannel } from '../../deployments/channel-deployment.js';
import type { Deployment } from '../../deployments/deployment.entity.js';
import { DeploymentTransitionsService } from '../../deployments/deployment-transitions.service.js';
import type { Deployed } from '../../deployments/deployments.service.js';
import type { Emergency } from '../../deployments/emergency.js';
import { UnsafeReuseService } from '../../unsafe-reuse/unsafe-reuse.service.js';
import type { ApprovalTarget } from './approval-target.js';

/** Approvals of deployments to channels: what is approved is delivered. */
@Injectable()
export class ChannelApprovals implements ApprovalTarget {
  constructor(
    private readonly channels: ChannelsService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly reuses: UnsafeReuseService,
  ) {}

  async lock(deployment: Deployment): Promise<Deployment> {
    const { appId, id, channelId } = requireChannel(deployment);
    // The channel is locked before the deployment, as everywhere.
    await this.channels.lock(appId, channelId);
    return this.transitions.lock(appId, id);
  }

  async requireNotFrozen(deployment: Deployment): Promise<void> {
    const { appId, channelId } = requireChannel(deployment);
    assertNotFrozen(await this.channels.get(appId, channelId), databaseNow());
  }

  decided(): Promise<void> {
    return Promise.resolve();
  }

  /** What devices run may have changed since the deployment was created. */
  async goLive(deployment: Deployment, emergency: Emergency | null): Promise<Deployed> {
    const toChannel = requireChannel(deployment);
    const { id: deploymentId, buildId, channelId } = toChannel;
    const warnings = await this.reuses.check({ buildId, channelId, deploymentId });
    return { deployment: await this.transitions.goLive(toChannel, emergency), warnings };
  }

  reject(deployment: Deployment): Promise<Deployment> {
    return this.transitions.reject(deployment);
  }
}
