import type { StoreRelease } from '../../app-submissions/releases/store-release.entity.js';
import type { PlanProgress } from './rollout-plan.entity.js';
import {
  aborted,
  ACTIVE_STATES,
  enter,
  held,
  isAwaited,
  type Plan,
  soonAfter,
  type Transition,
} from './rollout-plan-state-machine.js';
import type { ShareObstacle, ShareOutcome } from './targets/plan-target.js';

/**
 * The progress of a plan that has asked for a share.
 *
 * @param transition the one that asks for it
 * @param outcome with `requested`, the time of the step begins when the store has taken the share
 */
export function afterShare(
  plan: Plan,
  { progress }: Transition,
  outcome: ShareOutcome | ShareObstacle,
  now: Date,
): Partial<PlanProgress> {
  switch (outcome.kind) {
    case 'set':
      return progress;
    case 'busy':
      return { nextCheckAt: soonAfter(now) };
    case 'refused': {
      const { reason, message } = outcome;
      const stop = held(reason, now, message).progress;
      // A person resumes the step that the store does not take.
      return reason === 'store' ? { ...stop, ...stepOf(progress), stepStartedAt: null } : stop;
    }
    case 'requested': {
      if (progress.state === 'aborted') return progress;
      const stateSince = plan.state === 'running' ? plan.stateSince : now;
      const waits = { stepStartedAt: null, stepEndsAt: null, nextCheckAt: soonAfter(now) };
      return { ...progress, ...waits, state: 'running', stateSince };
    }
  }
}

/**
 * The store has taken the share that a plan has asked for: the time of the step begins, also for a held plan, which continues
 * when it is resumed.
 *
 * @returns `null`: the plan waits for no share
 */
export function taken(plan: Plan, now: Date): Transition | null {
  const { state, stepIndex } = plan;
  if (stepIndex === null || !isAwaited(plan)) return null;
  if (state === 'held') return { progress: { stepStartedAt: now }, share: null };
  return state === 'running' ? { ...enter(plan, stepIndex, now), share: null } : null;
}

/**
 * The store has not taken the share that a plan has asked for.
 *
 * @param message one sentence
 * @returns `null`: the plan waits for no share
 */
export function notTaken(plan: Plan, message: string, now: Date): Transition | null {
  return plan.state === 'running' && isAwaited(plan) ? held('store', now, message) : null;
}

/**
 * What becomes of a plan when its release is somewhere else in the store, for whatever reason.
 *
 * @returns `null`: the plan continues, because it is what the plan wants
 */
export function releaseMoved(
  plan: Plan,
  { status, userFraction, message }: Pick<StoreRelease, 'status' | 'userFraction' | 'message'>,
  now: Date,
): Transition | null {
  if (!ACTIVE_STATES.includes(plan.state)) return null;
  switch (status) {
    case 'replaced':
      return aborted('superseded', now);
    case 'removed':
    case 'withdrawn':
      return aborted('store', now, message);
    case 'halted':
    case 'paused':
      return aborted('share-changed', now);
    case 'rejected':
      return plan.state === 'running' ? held('store', now, message) : null;
    case 'rolling_out':
    case 'released':
      return isWanted(plan, status === 'released' ? 1 : userFraction) ? null : aborted('share-changed', now);
    default:
      // It is in a review, or waits for one: the next share shows whether that is in the way.
      return null;
  }
}

/** Whether a plan has wanted the share. Before the store has taken a new one, users have any lower one. */
function isWanted(plan: Plan, share: number | null): boolean {
  const wanted = plan.steps[plan.stepIndex ?? 0]?.percentage;
  if (share === null || wanted === undefined) return true;
  return share === wanted || (isAwaited(plan) && share < wanted);
}

const stepOf = ({ stepIndex }: Partial<PlanProgress>): Partial<PlanProgress> =>
  stepIndex === undefined ? {} : { stepIndex };
