import { Injectable } from '@nestjs/common';
import type { Deployment } from '../../deployments/deployment.entity.js';
import { DeploymentsService } from '../../deployments/deployments.service.js';
import { ChannelPlanTarget } from './channel-plan-target.service.js';
import type { PlanTarget } from './plan-target.js';
import { StorePlanTarget } from './store-plan-target.service.js';

/** A deployment, and what its plan moves. */
export interface Planned {
  readonly deployment: Deployment;
  readonly target: PlanTarget;
}

/** Finds what a plan moves. */
@Injectable()
export class PlanTargets {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly channels: ChannelPlanTarget,
    private readonly stores: StorePlanTarget,
  ) {}

  /** @throws NotFoundError @throws InvalidRequestError when the deployment takes no plans */
  async find(appId: string, deploymentId: string): Promise<Planned> {
    const deployment = await this.deployments.get(appId, deploymentId);
    const target = deployment.destinationId === null ? this.channels : this.stores;
    await target.requirePlan(deployment);
    return { deployment, target };
  }

  /** As `find`, locked until the transaction ends. @param isStart see `PlanTarget.lock` */
  async lock(appId: string, deploymentId: string, isStart = false): Promise<Planned> {
    const { deployment, target } = await this.find(appId, deploymentId);
    return { deployment: await target.lock(deployment, isStart), target };
  }
}
