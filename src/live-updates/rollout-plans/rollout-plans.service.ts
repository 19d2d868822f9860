import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ConflictError, type FieldError, invalidFields } from '../../common/errors/app-error.js';
import {
  deleteOrThrow,
  findOrThrow,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { PutRolloutPlanDto } from './rollout-plan.dto.js';
import { type PlanState, RolloutPlan, type RolloutStep } from './rollout-plan.entity.js';
import { aborted, act, draft, type PlanAction } from './rollout-plan-state-machine.js';
import { RolloutPlanWriter } from './rollout-plan-writer.service.js';
import { RolloutPlansQueries } from './rollout-plans.queries.js';
import { afterShare } from './store-steps.js';
import { PlanTargets } from './targets/plan-targets.service.js';

/** States in which a plan may be replaced. */
const REPLACEABLE: readonly PlanState[] = ['draft', 'completed', 'aborted'];

/** The actions of users on plans. Locks are taken in this order: channel or release, deployment, plan. */
@Injectable()
export class RolloutPlansService {
  constructor(
    @InjectRepository(RolloutPlan) private readonly plans: Repository<RolloutPlan>,
    private readonly queries: RolloutPlansQueries,
    private readonly targets: PlanTargets,
    private readonly writer: RolloutPlanWriter,
  ) {}

  /** @throws NotFoundError @throws InvalidRequestError when the deployment takes no plans */
  async get(appId: string, deploymentId: string): Promise<RolloutPlan> {
    await this.targets.find(appId, deploymentId);
    return findOrThrow(this.plans, { appId, deploymentId });
  }

  /** Whether what the plan moves is in a store. Errors as `get`, without a plan. */
  async isForStore(appId: string, deploymentId: string): Promise<boolean> {
    return (await this.targets.find(appId, deploymentId)).deployment.destinationId !== null;
  }

  /**
   * Creates or replaces the plan of a deployment. It does not start automatically.
   *
   * @throws NotFoundError
   * @throws InvalidRequestError for steps that do not fit together, or what the deployment does not take
   * @throws ConflictError when there is a plan that is running or held
   */
  put(appId: string, deploymentId: string, values: PutRolloutPlanDto): Promise<RolloutPlan> {
    const steps = toSteps(values.steps);
    const gate = values.healthGate;
    const healthGate = gate
      ? { maxFailureShare: gate.maxFailureShare, minDevices: gate.minDevices, confidence: gate.confidence }
      : null;
    return transaction(async () => {
      const { deployment, target } = await this.targets.lock(appId, deploymentId);
      await target.requirePlan(deployment, { steps, healthGate });
      const plans = this.plans;
      const content = { steps, healthGate, ...draft(await this.queries.now()) };
      const existing = await plans.findOne({ where: { deploymentId }, lock: { mode: 'pessimistic_write' } });
      if (existing === null) return insertOrThrow(plans, { appId, deploymentId, ...content });
      if (!REPLACEABLE.includes(existing.state)) throw cannotBe('replaced', existing.state);
      return updateOrThrow(plans, { id: existing.id }, content);
    });
  }

  /** Deletes a plan, which ends one that is held. @throws NotFoundError @throws ConflictError when it is running */
  delete(appId: string, deploymentId: string): Promise<void> {
    return transaction(async () => {
      await this.targets.lock(appId, deploymentId);
      const plan = await lockOrThrow(this.plans, { deploymentId });
      if (plan.state === 'running') throw cannotBe('deleted', plan.state);
      // Those who know that it is held learn that it ends.
      if (plan.state === 'held') {
        await this.writer.write(plan, aborted('person', await this.queries.now()).progress);
      }
      await deleteOrThrow(this.plans, { id: plan.id });
    });
  }

  /**
   * @param comment of the user who holds or aborts it
   * @throws NotFoundError
   * @throws ConflictError when the state of the plan, of its deployment, of its channel or of its release does not allow it
   * @throws InvalidRequestError when it would start and devices of the channel would build the bundle wrongly
   */
  act(
    appId: string,
    deploymentId: string,
    action: PlanAction,
    comment: string | null = null,
  ): Promise<RolloutPlan> {
    return transaction(async () => {
      const isStart = action === 'start';
      const { deployment, target } = await this.targets.lock(appId, deploymentId, isStart);
      const plan = await lockOrThrow(this.plans, { deploymentId });
      const now = await this.queries.now();
      const { share, ...acted } = act(plan, action, now);
      const progress = { ...acted.progress, comment };
      if (share === null) return this.writer.write(plan, progress);
      if (isStart) await target.requireStart(deployment, plan, now);
      else if (share > 0) await target.requireNotFrozen(deployment, now);
      const outcome = await target.setShare(deployment, share, comment);
      return this.writer.write(plan, afterShare(plan, { progress, share }, outcome, now));
    });
  }
}

function cannotBe(what: string, state: PlanState): ConflictError {
  return new ConflictError(`This rollout plan cannot be ${what}: it is ${state}.`, 'rollout_plan_state');
}

/** A step of the request, valid on its own. */
interface StepInput {
  readonly percentage: number;
  readonly durationMinutes?: number | null;
}

/**
 * Validates steps together.
 *
 * @throws InvalidRequestError unless shares grow strictly, and all steps but the last one have a duration
 */
function toSteps(inputs: readonly StepInput[]): RolloutStep[] {
  const errors: FieldError[] = [];
  const refuse = (index: number, name: string, message: string): void => {
    errors.push({ field: `steps.${index}.${name}`, message });
  };
  inputs.forEach(({ percentage, durationMinutes }, index) => {
    const isLast = index === inputs.length - 1;
    if (percentage <= (inputs[index - 1]?.percentage ?? 0)) {
      refuse(index, 'percentage', 'percentage must be more than in the step before, and more than 0.');
    }
    if (isLast && durationMinutes != null) {
      refuse(index, 'durationMinutes', 'durationMinutes must be absent in the last step, which has no end.');
    }
    if (!isLast && durationMinutes == null) {
      refuse(index, 'durationMinutes', 'durationMinutes is required in every step but the last one.');
    }
  });
  if (errors.length > 0) throw invalidFields(errors);
  return inputs.map(({ percentage, durationMinutes }) => ({
    percentage,
    durationMinutes: durationMinutes ?? null,
  }));
}
