import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { ConflictError, errorOf } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { DeploymentEvents } from '../deployment-events/deployment-events.service.js';
import { isToChannel } from '../deployments/channel-deployment.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import { type Deployed, DeploymentsService } from '../deployments/deployments.service.js';
import {
  appApprovalGiven,
  appApprovalRejected,
  appApprovalWithdrawn,
} from '../deployment-events/approvals.events.js';
import type { ApproveDeploymentDto } from './deployment-approval.dto.js';
import { APPROVALS_USER_KEY, DeploymentApproval } from './deployment-approval.entity.js';
import type { ApprovalTarget, Rejection } from './targets/approval-target.js';
import { ChannelApprovals } from './targets/channel-approvals.service.js';
import { rejectionMessage } from './targets/decision-message.js';
import { StoreApprovals } from './targets/store-approvals.service.js';

const violations = {
  [APPROVALS_USER_KEY]: () => errorOf('already_approved'),
};

/** Decisions of a state. */
const MAX_DECISIONS = 100;

/** A deployment, its decisions, oldest first, and how many approvals it lacks. */
export interface ApprovalState {
  readonly deployment: Deployment;
  readonly decisions: readonly DeploymentApproval[];
  readonly missing: number;
}

/** A deployment that is locked, and where it goes. */
interface Pending {
  readonly deployment: Deployment;
  readonly target: ApprovalTarget;
}

/**
 * The one place that decides when a deployment that needs approvals goes live. Decisions about one deployment are taken
 * one after the other, under a lock on it.
 */
@Injectable()
export class ApprovalsService {
  constructor(
    @InjectRepository(DeploymentApproval) private readonly approvals: Repository<DeploymentApproval>,
    private readonly deployments: DeploymentsService,
    private readonly channels: ChannelApprovals,
    private readonly stores: StoreApprovals,
    private readonly events: DeploymentEvents,
  ) {}

  /** The decisions about a deployment, oldest first. @throws NotFoundError */
  async list(appId: string, deploymentId: string, query: PageQuery): Promise<Page<DeploymentApproval>> {
    await this.deployments.get(appId, deploymentId);
    return findPage(this.approvals, { deploymentId }, query, { createdAt: 'ASC' });
  }

  /** Which approvals a deployment has and lacks. @throws NotFoundError */
  async stateOf(appId: string, deploymentId: string): Promise<ApprovalState> {
    const deployment = await this.deployments.get(appId, deploymentId);
    const decisions = await this.approvals.find({
      where: { deploymentId },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: MAX_DECISIONS,
    });
    return { deployment, decisions, missing: await this.missingOf(deployment) };
  }

  /**
   * Approves a deployment; the last required approval makes it live.
   *
   * @param userId the user who approves
   * @throws NotFoundError
   * @throws ForbiddenError when the user has created the deployment
   * @throws InvalidRequestError when it would go live and devices of the channel would build it wrongly
   * @throws ConflictError when it is not pending, the user has approved it already, or it would go live while the channel
   *   or the destination is frozen
   */
  approve(
    appId: string,
    deploymentId: string,
    userId: string,
    { comment = null, emergency }: ApproveDeploymentDto,
  ): Promise<Deployed> {
    return transaction(async () => {
      const { deployment, target } = await this.lockPending(appId, deploymentId);
      if (emergency) return target.goLive(deployment, emergency);
      if (deployment.createdByUserId === userId) throw errorOf('own_deployment');
      const approval = { appId, deploymentId, userId, decision: 'approved' as const, comment };
      await insertOrThrow(this.approvals, approval, violations);
      const missing = await this.missingOf(deployment);
      await this.events.approval(appApprovalGiven, deployment, {
        userId,
        missingApprovals: missing,
        comment,
      });
      if (missing === 0) await target.requireNotFrozen(deployment);
      await target.decided(deployment, { kind: 'approved', userId, comment, missing });
      if (missing > 0) return { deployment, warnings: [] };
      return target.goLive(deployment, null);
    });
  }

  /** Withdraws the user's approval. @throws NotFoundError @throws ConflictError when it is no longer pending */
  withdraw(appId: string, deploymentId: string, userId: string): Promise<void> {
    return transaction(async () => {
      const { deployment, target } = await this.lockPending(appId, deploymentId);
      await deleteOrThrow(this.approvals, { deploymentId, userId });
      const missing = await this.missingOf(deployment);
      await this.events.approval(appApprovalWithdrawn, deployment, { userId, missingApprovals: missing });
      await target.decided(deployment, { kind: 'approval_withdrawn', userId, comment: null, missing });
    });
  }

  /**
   * Rejects a deployment permanently. Its creator can reject it, too.
   *
   * @throws NotFoundError
   * @throws ConflictError when it is not pending
   */
  reject(appId: string, deploymentId: string, userId: string, comment: string | null): Promise<Deployment> {
    return transaction(async () => {
      const { deployment, target } = await this.lockPending(appId, deploymentId);
      const approvals = this.approvals;
      await approvals.delete({ deploymentId, userId });
      await insertOrThrow(approvals, { appId, deploymentId, userId, decision: 'rejected', comment });
      const reason = rejectionMessage(comment);
      return this.end({ deployment, target }, { userId, reason }, comment);
    });
  }

  /**
   * Rejects a deployment whose deadline has passed. Does nothing to one that is not pending.
   *
   * @param reason one sentence
   */
  expire(appId: string, deploymentId: string, reason: string): Promise<void> {
    return transaction(async () => {
      const { deployment, target } = await this.lock(appId, deploymentId);
      if (deployment.approvalStatus === 'pending')
        await this.end({ deployment, target }, { userId: null, reason }, reason);
    });
  }

  /** Ends a pending deployment permanently. @param comment what events say, without names */
  private async end({ deployment, target }: Pending, rejection: Rejection, comment: string | null) {
    const rejected = await target.reject(deployment, rejection);
    await this.rejected(rejected, rejection.userId, comment);
    return rejected;
  }

  /** Records that a deployment is rejected. @param userId `null`: by no user */
  async rejected(deployment: Deployment, userId: string | null, comment: string | null): Promise<void> {
    const missingApprovals = await this.missingOf(deployment);
    await this.events.approval(appApprovalRejected, deployment, { userId, missingApprovals, comment });
  }

  private async missingOf({ id: deploymentId, requiredApprovals }: Deployment): Promise<number> {
    const count = await this.approvals.countBy({ deploymentId, decision: 'approved' });
    return Math.max(requiredApprovals - count, 0);
  }

  private async lockPending(appId: string, id: string): Promise<Pending> {
    const locked = await this.lock(appId, id);
    const { approvalStatus } = locked.deployment;
    if (approvalStatus === 'pending') return locked;
    throw new ConflictError(
      `This deployment needs no decision: it is ${approvalStatus}.`,
      'deployment_not_pending',
    );
  }

  private async lock(appId: string, id: string): Promise<Pending> {
    const found = await this.deployments.get(appId, id);
    const target = isToChannel(found) ? this.channels : this.stores;
    return { deployment: await target.lock(found), target };
  }
}
