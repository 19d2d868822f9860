import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { transaction } from '../../database/transactions/transaction.js';
import { QueueService } from '../../queue/queue.service.js';
import { DeploymentHealthQueries } from '../deployment-health/deployment-health.queries.js';
import { DeploymentTransitionsService } from '../deployments/deployment-transitions.service.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { tick } from './rollout-plan-state-machine.js';
import {
  ROLLOUT_PLANS_QUEUE,
  type RolloutPlanJob,
  RolloutPlanWriter,
} from './rollout-plan-writer.service.js';
import { RolloutPlansQueries } from './rollout-plans.queries.js';
import { afterShare } from './store-steps.js';
import { PlanTargets } from './targets/plan-targets.service.js';

/**
 * Moves plans as time passes. The row of a running plan holds the time of its next check, and a job is due then. A job
 * that runs twice, finds another step, or was sent before a hold does nothing, with any number of servers.
 */
@Injectable()
export class RolloutPlanRunner implements OnModuleInit {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly targets: PlanTargets,
    private readonly transitions: DeploymentTransitionsService,
    private readonly health: DeploymentHealthQueries,
    private readonly queries: RolloutPlansQueries,
    private readonly writer: RolloutPlanWriter,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<RolloutPlanJob>(ROLLOUT_PLANS_QUEUE, (job) => this.move(job));
  }

  private async move({ planId, stepIndex }: RolloutPlanJob): Promise<void> {
    await transaction(async () => {
      const found = await this.plans.findOneBy({ id: planId });
      if (found === null) return;
      const { deployment, target } = await this.targets.lock(found.appId, found.deploymentId);
      const plan = await this.plans.findOne({
        where: { id: planId, state: 'running', stepIndex },
        lock: { mode: 'pessimistic_write' },
      });
      if (plan === null) return;
      const now = await this.queries.now();
      const frozenUntil = await target.frozenUntil(deployment, now);
      const health = plan.healthGate === null ? null : await this.health.count(plan);
      const transition = tick(plan, now, health, frozenUntil);
      if (transition === null) return;
      const { progress, share } = transition;
      if (progress.reason === 'health-gate') await this.transitions.stop(deployment);
      await this.writer.write(
        plan,
        share === null
          ? progress
          : afterShare(plan, transition, await target.tryShare(deployment, share), now),
      );
    });
  }
}
