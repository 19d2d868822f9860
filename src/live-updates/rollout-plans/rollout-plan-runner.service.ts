import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import { freezeAt } from '../../common/freezes/freeze.js';
import { DeploymentTransitionsService } from '../deployments/deployment-transitions.service.js';
import { held, tick, type Transition } from './rollout-plan-state-machine.js';
import { UnsafeReuseService } from '../unsafe-reuse/unsafe-reuse.service.js';
import { DeploymentHealthQueries } from '../deployment-health/deployment-health.queries.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlansQueries } from './rollout-plans.queries.js';
import {
  ROLLOUT_PLANS_QUEUE,
  type RolloutPlanJob,
  RolloutPlanWriter,
} from './rollout-plan-writer.service.js';

/**
 * Moves plans as time passes. The row of a running plan holds the time of its next check, and a job is due then. A job
 * that runs twice, finds another step, or was sent before a hold does nothing, with any number of servers.
 */
@Injectable()
export class RolloutPlanRunner implements OnModuleInit {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly channels: ChannelsService,
    private readonly deployments: DeploymentTransitionsService,
    private readonly health: DeploymentHealthQueries,
    private readonly queries: RolloutPlansQueries,
    private readonly reuses: UnsafeReuseService,
    private readonly writer: RolloutPlanWriter,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<RolloutPlanJob>(ROLLOUT_PLANS_QUEUE, (job) => this.move(job));
  }

  /** Applies a transition to a plan and a deployment, which are locked. */
  async apply(plan: RolloutPlan, { progress, share }: Transition): Promise<RolloutPlan> {
    if (share !== null) await this.deployments.setShare(plan.deploymentId, share);
    return this.writer.write(plan, progress);
  }

  private async move({ planId, stepIndex }: RolloutPlanJob): Promise<void> {
    await transaction(async () => {
      const found = await this.plans.findOneBy({ id: planId });
      if (found === null) return;
      const {
        id: deploymentId,
        buildId,
        channelId,
      } = await this.deployments.lock(found.appId, found.deploymentId);
      const plan = await this.plans.findOne({
        where: { id: planId, state: 'running', stepIndex },
        lock: { mode: 'pessimistic_write' },
      });
      if (plan === null) return;
      const now = await this.queries.now();
      const channel = await this.channels.get(found.appId, channelId);
      const frozenUntil = freezeAt(channel.freezeWindows, now)?.until ?? null;
      const health = plan.healthGate === null ? null : await this.health.count(plan);
      const transition = tick(plan, now, health, frozenUntil);
      if (transition === null) return;
      const isUnsafe =
        transition.share !== null && (await this.reuses.isRefused({ buildId, channelId, deploymentId }));
      await this.apply(plan, isUnsafe ? held('unsafe-reuse', now) : transition);
    });
  }
}
