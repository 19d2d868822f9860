import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, type Repository } from 'typeorm';
import { updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import { freezeAt } from '../channels/freeze.js';
import { DeploymentTransitionsService } from '../deployments/deployment-transitions.service.js';
import { tick, type Transition } from './rollout-plan-state-machine.js';
import { RolloutHealthQueries } from './rollout-health.queries.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { sql } from '../../database/sql.js';

/** A look at a plan costs little, so a failure is met with patience: two days in all. */
const QUEUE: QueueDefinition = {
  name: 'rollout-plans',
  retryLimit: 60,
  retryDelay: 5,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  // Whoever starts the servers again after months finds the plans where they were.
  retentionSeconds: 365 * 24 * 3600,
};

interface Job {
  readonly planId: string;
  /** The step that the plan is in when the job is sent; it has nothing to say about another one. */
  readonly stepIndex: number;
}

/**
 * Moves plans as time passes. Each running plan has a time at which it is looked at next, and a job for then. A job that
 * comes twice, comes to a plan that has moved on, or lies from before a hold finds another time in the row and does
 * nothing, however many servers there are.
 */
@Injectable()
export class RolloutPlanRunner implements OnModuleInit {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly channels: ChannelsService,
    private readonly deployments: DeploymentTransitionsService,
    private readonly health: RolloutHealthQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<Job>(QUEUE, (job) => this.move(job));
  }

  /** Writes what a move makes of a plan that is locked, of its deployment, and the job of its next one. */
  async apply(plan: RolloutPlan, { progress, share }: Transition): Promise<RolloutPlan> {
    if (share !== null) await this.deployments.setShare(plan.deploymentId, share);
    const moved = await updateOrThrow(this.plans, { id: plan.id }, progress);
    if (moved.nextCheckAt !== null && moved.stepIndex !== null) {
      const job: Job = { planId: plan.id, stepIndex: moved.stepIndex };
      await this.queue.send(QUEUE, job, { startAfter: moved.nextCheckAt });
    }
    return moved;
  }

  /** A plan that nobody else moves until the transaction ends. The deployment is locked before. */
  lock(where: FindOptionsWhere<RolloutPlan>): Promise<RolloutPlan | null> {
    return this.plans.findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  /** The time of the database, which the replicas share. */
  async now(): Promise<Date> {
    const [row] = await sql<{ now: Date }>('SELECT now()');
    return row?.now ?? new Date();
  }

  /** Id of the deployment that the channel delivers first. */
  async newestOf(channelId: string): Promise<string | null> {
    const [row] = await sql<{ id: string }>(
      `SELECT id FROM deployments WHERE channel_id = $1 AND approval_status = 'approved'
        ORDER BY sequence DESC LIMIT 1`,
      [channelId],
    );
    return row?.id ?? null;
  }

  private async move({ planId, stepIndex }: Job): Promise<void> {
    await transaction(async () => {
      const found = await this.plans.findOneBy({ id: planId });
      if (found === null) return;
      const { channelId } = await this.deployments.lock(found.appId, found.deploymentId);
      const plan = await this.lock({ id: planId, state: 'running', stepIndex });
      if (plan === null) return;
      const now = await this.now();
      const channel = await this.channels.get(found.appId, channelId);
      const frozenUntil = freezeAt(channel.freezeWindows, now)?.until ?? null;
      const health = plan.healthGate === null ? null : await this.health.count(plan);
      const transition = tick(plan, now, health, frozenUntil);
      if (transition !== null) await this.apply(plan, transition);
    });
  }
}
