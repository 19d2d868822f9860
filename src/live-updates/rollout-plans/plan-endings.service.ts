import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import type { ChannelDeployment } from '../deployments/channel-deployment.js';
import { DeploymentChanges } from '../deployments/deployment-changes.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlansQueries } from './rollout-plans.queries.js';
import { ACTIVE_STATES, end, type EndReason } from './rollout-plan-state-machine.js';
import { RolloutPlanWriter } from './rollout-plan-writer.service.js';

/** Ends plans that lose their purpose because of other deployments. */
@Injectable()
export class PlanEndings implements OnModuleInit {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly queries: RolloutPlansQueries,
    private readonly writer: RolloutPlanWriter,
    private readonly changes: DeploymentChanges,
  ) {}

  onModuleInit(): void {
    this.changes.shareChanged.register((deploymentId) => this.endForChangedShare(deploymentId));
    this.changes.wentLive.register((newer) => this.supersede(newer));
  }

  /** Ends the plan of a deployment. Does nothing when no plan is running or held. */
  private async endForChangedShare(deploymentId: string): Promise<void> {
    const plans = await this.plans.find({
      where: { deploymentId, state: In(ACTIVE_STATES) },
      lock: { mode: 'pessimistic_write' },
    });
    await this.end(plans, 'share-changed');
  }

  /** Ends the running and held plans of the older deployments of the channel. */
  private async supersede({ id, channelId }: Pick<ChannelDeployment, 'id' | 'channelId'>): Promise<void> {
    const plans = await this.plans
      .createQueryBuilder('plan')
      .innerJoin('deployments', 'older', 'older.id = plan.deploymentId')
      .where('older.channel_id = :channelId', { channelId })
      .andWhere('older.sequence < (SELECT sequence FROM deployments WHERE id = :id)', { id })
      .andWhere('plan.state IN (:...states)', { states: ACTIVE_STATES })
      .orderBy('plan.id')
      .setLock('pessimistic_write', undefined, ['plan'])
      .getMany();
    await this.end(plans, 'superseded');
  }

  private async end(plans: readonly RolloutPlan[], reason: EndReason): Promise<void> {
    if (plans.length === 0) return;
    const now = await this.queries.now();
    for (const plan of plans) await this.writer.write(plan, end(plan, reason, now).progress);
  }
}
