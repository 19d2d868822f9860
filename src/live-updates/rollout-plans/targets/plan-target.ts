import type { Deployment } from '../../deployments/deployment.entity.js';
import type { RolloutPlan } from '../rollout-plan.entity.js';

/** What a person gives a plan. */
export type PlanContent = Pick<RolloutPlan, 'steps' | 'healthGate'>;

/** What came of a new share: it is `set`, or was `requested` from a store, which takes it later. */
export type ShareOutcome = { readonly kind: 'set' } | { readonly kind: 'requested' };

/** Why a plan does not get its next share: something else is being changed (`busy`), or it is refused until a person acts. */
export type ShareObstacle =
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'refused';
      readonly reason: 'unsafe-reuse' | 'store';
      /** One sentence for people; `null`: the reason says it all. */
      readonly message: string | null;
    };

/** What a plan moves: the share of a deployment to a channel, or to a store. */
export interface PlanTarget {
  /** @throws InvalidRequestError when the deployment takes no plan, or not this one; without `content`: no plan at all */
  requirePlan(deployment: Deployment, content?: PlanContent): Promise<void>;
  /**
   * Locks what the share depends on, and then the deployment, until the transaction ends. The caller locks the plan
   * after that.
   *
   * @param isStart also keeps newer deployments from becoming effective during that time
   * @throws NotFoundError
   */
  lock(deployment: Deployment, isStart: boolean): Promise<Deployment>;
  /** @throws AppError when the plan cannot begin now, also because of a freeze */
  requireStart(deployment: Deployment, plan: PlanContent, now: Date): Promise<void>;
  /** @throws ConflictError when no share may grow now */
  requireNotFrozen(deployment: Deployment, now: Date): Promise<void>;
  /** @returns `null`: it is not frozen */
  frozenUntil(deployment: Deployment, now: Date): Promise<Date | null>;
  /**
   * Sets the share because a person wants it.
   *
   * @param share 0 to 1
   * @param comment what the person says
   * @throws AppError when it cannot be set now
   */
  setShare(deployment: Deployment, share: number, comment: string | null): Promise<ShareOutcome>;
  /** As `setShare`, because a step is due; what is in the way is no error. */
  tryShare(deployment: Deployment, share: number): Promise<ShareOutcome | ShareObstacle>;
}
