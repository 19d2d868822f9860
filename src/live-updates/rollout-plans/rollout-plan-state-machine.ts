import { ConflictError } from '../../common/errors/app-error.js';
import type {
  Health,
  HealthGate,
  PlanProgress,
  PlanReason,
  PlanState,
  RolloutStep,
} from './rollout-plan.entity.js';
import { wilsonInterval } from '../deployment-health/wilson-interval.js';

/** Minutes between two checks of the health of a running plan, and of a freeze, which may be lifted early. */
const CHECK_INTERVAL = 10;
const MINUTE = 60_000;

/** What the state machine needs to know of a plan. */
export interface Plan extends PlanProgress {
  readonly steps: readonly RolloutStep[];
  readonly healthGate: HealthGate | null;
}

/** A change of a plan, and of the share of its deployment. */
export interface Transition {
  readonly progress: Partial<PlanProgress>;
  /** The share that devices get from now on; `null`: it does not change. */
  readonly share: number | null;
}

/** What a person can do with a plan. */
export const planActions = ['start', 'hold', 'resume', 'abort'] as const;
export type PlanAction = (typeof planActions)[number];

/** What ends an active plan besides the action of a person. */
export type EndReason = Extract<PlanReason, 'share-changed' | 'superseded'>;

/** States of a plan that has begun and has not ended. */
export const ACTIVE_STATES: readonly PlanState[] = ['running', 'held'];

/** The states of a plan that allow each action. */
const from: Readonly<Record<PlanAction, readonly PlanState[]>> = {
  start: ['draft'],
  hold: ['running'],
  resume: ['held'],
  abort: ACTIVE_STATES,
};

const participle = { start: 'started', hold: 'held', resume: 'resumed', abort: 'aborted' };

/** A plan that has not begun. */
export function draft(now: Date): PlanProgress {
  return {
    ...stopped,
    state: 'draft',
    reason: null,
    stateSince: now,
    stepIndex: null,
    stepStartedAt: null,
    observedSince: null,
    evidence: null,
    storeMessage: null,
    comment: null,
  };
}

/** Applies the action of a person. @throws ConflictError when its state does not allow it */
export function act(plan: Plan, action: PlanAction, now: Date): Transition {
  if (!from[action].includes(plan.state)) {
    throw new ConflictError(
      `This rollout plan cannot be ${participle[action]}: it is ${plan.state}.`,
      'rollout_plan_state',
    );
  }
  switch (action) {
    case 'start':
      return enter({ ...plan, observedSince: now }, 0, now);
    case 'hold':
      return held('person', now);
    case 'resume': {
      const step = enter({ ...plan, observedSince: now }, plan.stepIndex ?? 0, now);
      // What a store has not taken is requested again.
      return isAwaited(plan) ? step : { ...step, share: null };
    }
    case 'abort':
      return { ...aborted('person', now), share: 0 };
  }
}

/**
 * Ends a plan that lost its purpose. The share does not change.
 *
 * @param plan an active one
 * @throws RangeError for a plan in another state
 */
export function end({ state }: Pick<Plan, 'state'>, reason: EndReason, now: Date): Transition {
  if (!ACTIVE_STATES.includes(state)) throw new RangeError(`A plan that is ${state} cannot end.`);
  return aborted(reason, now);
}

/**
 * Moves a plan as time passes, by one step at most. Checks the health first, then the end of the step, which waits for
 * the end of a freeze. A share that a store should have taken by now is requested again.
 *
 * @param health `null`: unknown, because the plan has no gate
 * @param frozenUntil when the freeze of the channel or the destination ends; `null`: it is not frozen
 * @returns `null` when there is nothing to do yet
 */
export function tick(
  plan: Plan,
  now: Date,
  health: Health | null,
  frozenUntil: Date | null,
): Transition | null {
  const { state, stepIndex, stepEndsAt, nextCheckAt, healthGate } = plan;
  if (state !== 'running' || stepIndex === null) return null;
  if (nextCheckAt === null || nextCheckAt > now) return null;
  if (healthGate !== null && health !== null && isUnhealthy(healthGate, health)) {
    const { progress, share } = held('health-gate', now);
    return { progress: { ...progress, evidence: health }, share };
  }
  const soon = soonAfter(now);
  if (stepEndsAt === null) {
    if (frozenUntil !== null) return { progress: { nextCheckAt: soon }, share: null };
    return enter(plan, stepIndex, now);
  }
  if (stepEndsAt > now) return { progress: { nextCheckAt: earlier(stepEndsAt, soon) }, share: null };
  if (frozenUntil !== null) {
    return { progress: { frozenUntil, nextCheckAt: earlier(frozenUntil, soon) }, share: null };
  }
  return enter(plan, stepIndex + 1, now);
}

/**
 * Stops a running plan until a person resumes it. The share does not change.
 *
 * @param reason `unsafe-reuse`: devices that would get the next share would build the bundle wrongly; `store`: the
 *   store has not taken the share
 * @param storeMessage with the reason `store`, one sentence
 */
export function held(
  reason: Extract<PlanReason, 'person' | 'health-gate' | 'unsafe-reuse' | 'store'>,
  now: Date,
  storeMessage: string | null = null,
): Transition {
  return { progress: { ...stopped, state: 'held', reason, stateSince: now, storeMessage }, share: null };
}

/** Whether a store has not taken the share of the current step yet. */
export function isAwaited({ stepIndex, stepStartedAt }: Pick<Plan, 'stepIndex' | 'stepStartedAt'>): boolean {
  return stepIndex !== null && stepStartedAt === null;
}

/** Whether more devices went back than the gate accepts, with the confidence that the gate requires. */
export function isUnhealthy(gate: HealthGate, { applied, rolledBack }: Health): boolean {
  if (applied < gate.minDevices) return false;
  return wilsonInterval(rolledBack, applied, gate.confidence).lower > gate.maxFailureShare;
}

/** Ends a plan permanently. The share does not change. @param storeMessage with the reason `store`, one sentence */
export function aborted(reason: PlanReason, now: Date, storeMessage: string | null = null): Transition {
  return { progress: { ...stopped, state: 'aborted', reason, stateSince: now, storeMessage }, share: null };
}

/** The step begins now, however late it is; the last one ends the plan. */
export function enter(plan: Plan, stepIndex: number, now: Date): Transition {
  const step = plan.steps[stepIndex];
  if (step === undefined) throw new RangeError(`There is no step ${stepIndex}.`);
  const { percentage: share, durationMinutes } = step;
  const entered = {
    stepIndex,
    stepStartedAt: now,
    observedSince: plan.observedSince,
    reason: null,
    evidence: null,
    storeMessage: null,
  };
  if (durationMinutes === null) {
    return { progress: { ...stopped, ...entered, state: 'completed', stateSince: now }, share };
  }
  const stepEndsAt = after(now, durationMinutes);
  const nextCheckAt = plan.healthGate === null ? stepEndsAt : earlier(stepEndsAt, after(now, CHECK_INTERVAL));
  const stateSince = plan.state === 'running' ? plan.stateSince : now;
  const running = { state: 'running', stateSince, stepEndsAt, nextCheckAt, frozenUntil: null } as const;
  return { progress: { ...entered, ...running }, share };
}

const stopped = { stepEndsAt: null, nextCheckAt: null, frozenUntil: null };

/** When a running plan is looked at again for which nothing else is due. */
export const soonAfter = (now: Date): Date => after(now, CHECK_INTERVAL);

const after = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * MINUTE);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
