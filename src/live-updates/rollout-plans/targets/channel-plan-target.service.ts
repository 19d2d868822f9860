import { Injectable } from '@nestjs/common';
import { ConflictError, errorOf } from '../../../common/errors/app-error.js';
import { assertNotFrozen, freezeAt } from '../../../common/freezes/freeze.js';
import type { Channel } from '../../channels/channel.entity.js';
import { ChannelsService } from '../../channels/channels.service.js';
import { requireChannel } from '../../deployments/channel-deployment.js';
import type { Deployment } from '../../deployments/deployment.entity.js';
import { DeploymentTransitionsService } from '../../deployments/deployment-transitions.service.js';
import { DeploymentsService } from '../../deployments/deployments.service.js';
import { UnsafeReuseService } from '../../unsafe-reuse/unsafe-reuse.service.js';
import type { PlanTarget, ShareObstacle, ShareOutcome } from './plan-target.js';

/** Plans of deployments to channels: a share takes effect for devices immediately. */
@Injectable()
export class ChannelPlanTarget implements PlanTarget {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly channels: ChannelsService,
    private readonly reuses: UnsafeReuseService,
  ) {}

  requirePlan(deployment: Deployment): Promise<void> {
    requireChannel(deployment);
    return Promise.resolve();
  }

  async lock(deployment: Deployment, isStart: boolean): Promise<Deployment> {
    const { appId, id, channelId } = requireChannel(deployment);
    // Newer deployments wait until the plan runs; then they end it.
    if (isStart) await this.channels.lock(appId, channelId);
    return this.transitions.lock(appId, id);
  }

  /** Only the active deployment can be rolled out. */
  async requireStart(deployment: Deployment, _: unknown, now: Date): Promise<void> {
    const { id, buildId, channelId, approvalStatus } = requireChannel(deployment);
    if (approvalStatus !== 'approved') {
      throw new ConflictError(
        `This deployment is not delivered: it is ${approvalStatus}.`,
        'deployment_not_live',
      );
    }
    if ((await this.deployments.newestOf(channelId))?.id !== id) throw errorOf('deployment_superseded');
    await this.requireNotFrozen(deployment, now);
    await this.reuses.check({ buildId, channelId, deploymentId: id });
  }

  async requireNotFrozen(deployment: Deployment, now: Date): Promise<void> {
    assertNotFrozen(await this.channelOf(deployment), now);
  }

  async frozenUntil(deployment: Deployment, now: Date): Promise<Date | null> {
    return freezeAt((await this.channelOf(deployment)).freezeWindows, now)?.until ?? null;
  }

  /** A plan gives no share of 0 until it is aborted. */
  async setShare(
    deployment: Deployment,
    share: number,
    comment: string | null = null,
  ): Promise<ShareOutcome> {
    const changes = comment === null ? {} : { comment };
    await this.transitions.setShare(requireChannel(deployment), share, 'plan-aborted', changes);
    return { kind: 'set' };
  }

  async tryShare(deployment: Deployment, share: number): Promise<ShareOutcome | ShareObstacle> {
    const { id: deploymentId, buildId, channelId } = requireChannel(deployment);
    if (await this.reuses.isRefused({ buildId, channelId, deploymentId }))
      return { kind: 'refused', reason: 'unsafe-reuse', message: null };
    return this.setShare(deployment, share);
  }

  private channelOf(deployment: Deployment): Promise<Channel> {
    const { appId, channelId } = requireChannel(deployment);
    return this.channels.get(appId, channelId);
  }
}
