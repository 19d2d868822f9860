import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { ConflictError } from '../../common/errors/app-error.js';
import {
  deleteOrThrow,
  findOrThrow,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { ChannelsService } from '../channels/channels.service.js';
import { assertNotFrozen } from '../../common/freezes/freeze.js';
import type { ChannelDeployment } from '../deployments/channel-deployment.js';
import { DeploymentTransitionsService } from '../deployments/deployment-transitions.service.js';
import { DeploymentsService } from '../deployments/deployments.service.js';
import { UnsafeReuseService } from '../unsafe-reuse/unsafe-reuse.service.js';
import { act, draft, type PlanAction } from './rollout-plan-state-machine.js';
import { RolloutPlanRunner } from './rollout-plan-runner.service.js';
import { RolloutPlansQueries } from './rollout-plans.queries.js';
import { toSteps } from './plan-steps.js';
import type { PutRolloutPlanDto } from './put-rollout-plan.dto.js';
import { type PlanState, RolloutPlan } from './rollout-plan.entity.js';

/** States in which a plan may be replaced. */
const REPLACEABLE: readonly PlanState[] = ['draft', 'completed', 'aborted'];

/** The actions of users on plans. Locks are taken in this order: channel, deployment, plan. */
@Injectable()
export class RolloutPlansService {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly runner: RolloutPlanRunner,
    private readonly queries: RolloutPlansQueries,
    private readonly deployments: DeploymentsService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly channels: ChannelsService,
    private readonly reuses: UnsafeReuseService,
  ) {}

  /** @throws NotFoundError */
  async get(appId: string, deploymentId: string): Promise<RolloutPlan> {
    await this.deployments.getOfChannel(appId, deploymentId);
    return findOrThrow(this.plans, { appId, deploymentId });
  }

  /**
   * Creates or replaces the plan of a deployment. It does not start by itself.
   *
   * @throws NotFoundError
   * @throws InvalidRequestError for steps that do not fit together
   * @throws ConflictError when there is a plan that is running or held
   */
  put(appId: string, deploymentId: string, values: PutRolloutPlanDto): Promise<RolloutPlan> {
    const steps = toSteps(values.steps);
    const gate = values.healthGate;
    const healthGate = gate
      ? { maxFailureShare: gate.maxFailureShare, minDevices: gate.minDevices, confidence: gate.confidence }
      : null;
    return transaction(async () => {
      await this.transitions.lock(appId, deploymentId);
      const plans = this.plans;
      const content = { steps, healthGate, ...draft(await this.queries.now()) };
      const existing = await plans.findOne({ where: { deploymentId }, lock: { mode: 'pessimistic_write' } });
      if (existing === null) return insertOrThrow(plans, { appId, deploymentId, ...content });
      if (!REPLACEABLE.includes(existing.state)) throw cannotBe('replaced', existing.state);
      return updateOrThrow(plans, { id: existing.id }, content);
    });
  }

  /** @throws NotFoundError @throws ConflictError when it is running */
  delete(appId: string, deploymentId: string): Promise<void> {
    return transaction(async () => {
      await this.transitions.lock(appId, deploymentId);
      const plan = await lockOrThrow(this.plans, { deploymentId });
      if (plan.state === 'running') throw cannotBe('deleted', plan.state);
      await deleteOrThrow(this.plans, { id: plan.id });
    });
  }

  /**
   * @throws NotFoundError
   * @throws ConflictError when the state of the plan, of its deployment or of its channel does not allow it
   * @throws InvalidRequestError when it would start and devices of the channel would build the bundle wrongly
   */
  act(appId: string, deploymentId: string, action: PlanAction): Promise<RolloutPlan> {
    return transaction(async () => {
      if (action === 'start')
        await this.authorizeStart(await this.deployments.getOfChannel(appId, deploymentId));
      await this.transitions.lock(appId, deploymentId);
      const plan = await lockOrThrow(this.plans, { deploymentId });
      return this.runner.apply(plan, act(plan, action, await this.queries.now()));
    });
  }

  /** Only the active deployment can be rolled out. */
  private async authorizeStart({ id, appId, buildId, channelId }: ChannelDeployment): Promise<void> {
    // Newer deployments wait until the plan runs; then they end it.
    const channel = await this.channels.lock(appId, channelId);
    const { approvalStatus } = await this.transitions.lock(appId, id);
    if (approvalStatus !== 'approved') {
      throw new ConflictError(
        `This deployment is not delivered: it is ${approvalStatus}.`,
        'deployment_not_live',
      );
    }
    if ((await this.deployments.newestOf(channelId))?.id !== id) {
      throw new ConflictError(
        'The channel has a newer deployment, which is delivered in place of this one.',
        'deployment_superseded',
      );
    }
    assertNotFrozen(channel, await this.queries.now());
    await this.reuses.check({ buildId, channelId, deploymentId: id });
  }
}

function cannotBe(what: string, state: PlanState): ConflictError {
  return new ConflictError(`This rollout plan cannot be ${what}: it is ${state}.`, 'rollout_plan_state');
}
