import { Injectable } from '@nestjs/common';
import { ReleaseHistory } from '../../../app-submissions/release-history/release-history.service.js';
import type { SubmissionAction } from '../../../app-submissions/submissions/submission.entity.js';
import { SubmissionsService } from '../../../app-submissions/submissions/submissions.service.js';
import { currentActor } from '../../../database/transactions/actor.js';
import { DeploymentTransitionsService } from '../deployment-transitions.service.js';
import type { Deployment } from '../deployment.entity.js';
import type { Emergency } from '../emergency.js';

/** Lets deployments to stores begin that waited for approvals, or ends them. The caller has locked the deployment. */
@Injectable()
export class StoreDeploymentTransitions {
  constructor(
    private readonly transitions: DeploymentTransitionsService,
    private readonly submissions: SubmissionsService,
    private readonly history: ReleaseHistory,
  ) {}

  /** Locks a deployment until the transaction ends, after its job, because a job that ends changes its deployment. */
  async lock({ appId, id }: Deployment): Promise<Deployment> {
    await this.submissions.lockJob(appId, id);
    return this.transitions.lockAny(appId, id);
  }

  /** Submits a pending deployment. @param emergency why it needs no approvals */
  async begin(deployment: Deployment, emergency: Emergency | null): Promise<Deployment> {
    const approved = await this.transitions.approve(deployment, emergency);
    if (emergency !== null) await this.recordOverride(deployment, emergency);
    await this.submissions.begin(deployment.id);
    return approved;
  }

  /** Rejects a pending deployment with its job. @param reason one sentence */
  async reject(deployment: Deployment, reason: string): Promise<Deployment> {
    const rejected = await this.transitions.reject(deployment);
    await this.submissions.reject(deployment.id, reason);
    return rejected;
  }

  /** Writes into the history that approvals or a freeze were overridden. @param action absent: that of the deployment */
  recordOverride(
    { id: releaseId, appId }: Deployment,
    { reason }: Emergency,
    action: SubmissionAction | null = null,
  ): Promise<void> {
    const userId = currentActor()?.userId ?? null;
    return this.history.add({
      appId,
      releaseId,
      kind: 'overridden',
      actor: 'user',
      userId,
      action,
      message: reason,
    });
  }
}
