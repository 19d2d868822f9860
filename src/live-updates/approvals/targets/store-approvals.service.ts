import { Injectable } from '@nestjs/common';
import { UsersService } from '../../../accounts/users/users.service.js';
import { DestinationsService } from '../../../app-submissions/destinations/destinations.service.js';
import { ReleaseHistory } from '../../../app-submissions/release-history/release-history.service.js';
import { SubmissionsService } from '../../../app-submissions/submissions/submissions.service.js';
import { databaseNow } from '../../../common/database-clock.js';
import { assertNotFrozen } from '../../../common/freezes/freeze.js';
import type { Deployment } from '../../deployments/deployment.entity.js';
import type { Deployed } from '../../deployments/deployments.service.js';
import type { Emergency } from '../../deployments/emergency.js';
import { StoreDeploymentTransitions } from '../../deployments/stores/store-deployment-transitions.service.js';
import type { ApprovalTarget, Decision, Rejection } from './approval-target.js';
import { decisionMessage } from './decision-message.js';

/** Approvals of deployments to stores: what is approved is submitted by its job, which waits for them. */
@Injectable()
export class StoreApprovals implements ApprovalTarget {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly transitions: StoreDeploymentTransitions,
    private readonly submissions: SubmissionsService,
    private readonly history: ReleaseHistory,
    private readonly users: UsersService,
  ) {}

  async lock(deployment: Deployment): Promise<Deployment> {
    await this.destinations.lock(deployment.appId, deployment.destinationId ?? '');
    return this.transitions.lock(deployment);
  }

  async requireNotFrozen({ appId, destinationId }: Deployment): Promise<void> {
    assertNotFrozen(await this.destinations.get(appId, destinationId ?? ''), databaseNow(), 'destination');
  }

  async decided(deployment: Deployment, decision: Decision): Promise<void> {
    const { kind, userId, comment: message } = decision;
    const { id, appId } = deployment;
    await this.history.add({ appId, releaseId: id, kind, actor: 'user', userId, message });
    const name = await this.users.nameOf(userId);
    await this.submissions.noteApprovals(id, decisionMessage(decision, name));
  }

  async goLive(deployment: Deployment, emergency: Emergency | null): Promise<Deployed> {
    return { deployment: await this.transitions.begin(deployment, emergency), warnings: [] };
  }

  async reject(deployment: Deployment, { userId, reason }: Rejection): Promise<Deployment> {
    const { id: releaseId, appId } = deployment;
    const actor = userId === null ? 'slipway' : 'user';
    await this.history.add({ appId, releaseId, kind: 'approval_rejected', actor, userId, message: reason });
    return this.transitions.reject(deployment, reason);
  }
}
