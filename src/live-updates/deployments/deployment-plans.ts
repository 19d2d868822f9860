import type { Deployment } from './deployment.entity.js';

/**
 * What deployments need from rollout plans. Rollout plans import deployments and provide this. See ADR 7. Both methods
 * belong to the transaction of the caller.
 */
export abstract class DeploymentPlans {
  /** Ends the plan of a deployment whose share a person changes. Does nothing when no plan is running or held. */
  abstract endForChangedShare(deploymentId: string): Promise<void>;

  /** Ends the running and held plans of the older deployments of the channel, because this one is delivered now. */
  abstract supersede(newer: Pick<Deployment, 'id' | 'channelId'>): Promise<void>;
}
