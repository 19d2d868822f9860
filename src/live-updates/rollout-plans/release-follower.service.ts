import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { type EndedAction, ReleaseChanges } from '../../app-submissions/releases/release-changes.js';
import type { StoreRelease } from '../../app-submissions/releases/store-release.entity.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { ACTIVE_STATES, end, type Transition } from './rollout-plan-state-machine.js';
import { RolloutPlanWriter } from './rollout-plan-writer.service.js';
import { NOT_ON_TRACK, RolloutPlansQueries } from './rollout-plans.queries.js';
import { notTaken, releaseMoved, taken } from './store-steps.js';

/** Moves plans by what happens to releases in stores. Each release is locked by the one who notifies. */
@Injectable()
export class ReleaseFollower implements OnModuleInit {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly queries: RolloutPlansQueries,
    private readonly writer: RolloutPlanWriter,
    private readonly changes: ReleaseChanges,
  ) {}

  onModuleInit(): void {
    this.changes.actionEnded.register((ended) => this.goOn(ended));
    this.changes.moved.register(async (release) => {
      await this.follow(release);
      if (!NOT_ON_TRACK.includes(release.status)) await this.supersede(release.id);
    });
  }

  /** The store has taken the share that the plan has requested, or has not. */
  private async goOn({ submission, hasSucceeded, message }: EndedAction): Promise<void> {
    const { releaseId, action, userFraction } = submission;
    if (releaseId === null || action !== 'set-rollout') return;
    await this.apply(releaseId, (plan, now) => {
      if (plan.steps[plan.stepIndex ?? 0]?.percentage !== userFraction) return null;
      return hasSucceeded ? taken(plan, now) : notTaken(plan, message ?? NO_REASON, now);
    });
  }

  private follow(release: StoreRelease): Promise<void> {
    return this.apply(release.id, (plan, now) => releaseMoved(plan, release, now));
  }

  /** Ends the plans of older deployments to the destination of a release. */
  private async supersede(id: string): Promise<void> {
    const plans = await this.plans
      .createQueryBuilder('plan')
      .innerJoin('deployments', 'older', 'older.id = plan.deploymentId')
      .innerJoin('deployments', 'newer', 'newer.destination_id = older.destination_id')
      .where('newer.id = :id', { id })
      .andWhere('older.sequence < newer.sequence')
      .andWhere('plan.state IN (:...states)', { states: ACTIVE_STATES })
      .orderBy('plan.id')
      .setLock('pessimistic_write', undefined, ['plan'])
      .getMany();
    if (plans.length === 0) return;
    const now = await this.queries.now();
    for (const plan of plans) await this.writer.write(plan, end(plan, 'superseded', now).progress);
  }

  /** Applies a transition to the plan of a deployment, if it has one that has begun. */
  private async apply(
    deploymentId: string,
    decide: (plan: RolloutPlan, now: Date) => Transition | null,
  ): Promise<void> {
    const plan = await this.plans.findOne({
      where: { deploymentId, state: In(ACTIVE_STATES) },
      lock: { mode: 'pessimistic_write' },
    });
    if (plan === null) return;
    const transition = decide(plan, await this.queries.now());
    if (transition !== null) await this.writer.write(plan, transition.progress);
  }
}

const NO_REASON = 'The store has not taken the share: see the log of the job.';
