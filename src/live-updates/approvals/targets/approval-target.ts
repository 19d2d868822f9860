import type { Deployment } from '../../deployments/deployment.entity.js';
import type { Deployed } from '../../deployments/deployments.service.js';
import type { Emergency } from '../../deployments/emergency.js';

/** What has happened to the approvals of a pending deployment. */
export interface Decision {
  readonly kind: 'approved' | 'approval_withdrawn';
  readonly userId: string;
  /** `null`: none. */
  readonly comment: string | null;
  /** Approvals that are still needed; 0: it goes live. */
  readonly missing: number;
}

/** Why a pending deployment is rejected. */
export interface Rejection {
  /** `null`: its deadline has passed. */
  readonly userId: string | null;
  /** One sentence. */
  readonly reason: string;
}

/** Where a deployment goes that waits for approvals: to a channel, or to a destination in a store. */
export interface ApprovalTarget {
  /** Locks what the deployment goes to, and then the deployment, until the transaction ends. @throws NotFoundError */
  lock(deployment: Deployment): Promise<Deployment>;
  /** @throws ConflictError during a freeze */
  requireNotFrozen(deployment: Deployment): Promise<void>;
  /** Notes a decision that is no rejection. */
  decided(deployment: Deployment, decision: Decision): Promise<void>;
  /**
   * Lets a pending deployment go live.
   *
   * @param emergency why it needs no approvals
   * @throws InvalidRequestError when devices of a channel would build it wrongly
   */
  goLive(deployment: Deployment, emergency: Emergency | null): Promise<Deployed>;
  /** Ends a pending deployment permanently. */
  reject(deployment: Deployment, rejection: Rejection): Promise<Deployment>;
}
