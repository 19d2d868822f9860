import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { ConflictError, ForbiddenError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { ChannelsService } from '../channels/channels.service.js';
import { assertNotFrozen } from '../../common/freezes/freeze.js';
import type { ChannelDeployment } from '../deployments/channel-deployment.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import { DeploymentTransitionsService } from '../deployments/deployment-transitions.service.js';
import { type Deployed, DeploymentsService } from '../deployments/deployments.service.js';
import type { Emergency } from '../deployments/emergency.js';
import { UnsafeReuseService } from '../unsafe-reuse/unsafe-reuse.service.js';
import type { ApproveDeploymentDto } from './decide-deployment.dto.js';
import { APPROVALS_USER_KEY, DeploymentApproval } from './deployment-approval.entity.js';

const violations = {
  [APPROVALS_USER_KEY]: () =>
    new ConflictError('You have approved this deployment already.', 'already_approved'),
};

/**
 * The one place that decides when a deployment that needs approvals goes live. Decisions about one deployment are taken
 * one after the other, under a lock on it.
 */
@Injectable()
export class ApprovalsService {
  constructor(
    @InjectRepository(DeploymentApproval) private readonly approvals: Repository<DeploymentApproval>,
    private readonly deployments: DeploymentsService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly channels: ChannelsService,
    private readonly reuses: UnsafeReuseService,
  ) {}

  /** The decisions about a deployment, oldest first. @throws NotFoundError */
  async list(appId: string, deploymentId: string, query: PageQuery): Promise<Page<DeploymentApproval>> {
    await this.deployments.getOfChannel(appId, deploymentId);
    return findPage(this.approvals, { deploymentId }, query, { createdAt: 'ASC' });
  }

  /**
   * Approves a deployment; the last required approval makes it live.
   *
   * @param userId the user who approves
   * @throws NotFoundError
   * @throws ForbiddenError when the user has created the deployment
   * @throws InvalidRequestError when it would go live and devices of the channel would build it wrongly
   * @throws ConflictError when it is not pending, the user has approved it already, or it would go live while the channel
   *   is frozen
   */
  approve(
    appId: string,
    deploymentId: string,
    userId: string,
    { comment, emergency }: ApproveDeploymentDto,
  ): Promise<Deployed> {
    return transaction(async () => {
      // The channel is locked before the deployment, as everywhere.
      const { channelId } = await this.deployments.getOfChannel(appId, deploymentId);
      const channel = await this.channels.lock(appId, channelId);
      const deployment = await this.lockPending(appId, deploymentId);
      if (emergency) return this.goLive(deployment, emergency);
      if (deployment.createdByUserId === userId) {
        throw new ForbiddenError(
          'Another user must approve this deployment: you created it.',
          'own_deployment',
        );
      }
      const approvals = this.approvals;
      await insertOrThrow(
        approvals,
        { appId, deploymentId, userId, decision: 'approved', comment: comment ?? null },
        violations,
      );
      const count = await approvals.countBy({ deploymentId, decision: 'approved' });
      if (count < deployment.requiredApprovals) return { deployment, warnings: [] };
      assertNotFrozen(channel, databaseNow());
      return this.goLive(deployment, null);
    });
  }

  /** Withdraws the user's approval. @throws NotFoundError @throws ConflictError when it is not pending any more */
  withdraw(appId: string, deploymentId: string, userId: string): Promise<void> {
    return transaction(async () => {
      await this.lockPending(appId, deploymentId);
      await deleteOrThrow(this.approvals, { deploymentId, userId });
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
      const deployment = await this.lockPending(appId, deploymentId);
      const approvals = this.approvals;
      await approvals.delete({ deploymentId, userId });
      await insertOrThrow(approvals, { appId, deploymentId, userId, decision: 'rejected', comment });
      return this.transitions.reject(deployment);
    });
  }

  /** What devices run may have changed since the deployment was created. */
  private async goLive(deployment: ChannelDeployment, emergency: Emergency | null): Promise<Deployed> {
    const { id: deploymentId, buildId, channelId } = deployment;
    const warnings = await this.reuses.check({ buildId, channelId, deploymentId });
    return { deployment: await this.transitions.goLive(deployment, emergency), warnings };
  }

  private async lockPending(appId: string, id: string): Promise<ChannelDeployment> {
    const deployment = await this.transitions.lock(appId, id);
    if (deployment.approvalStatus === 'pending') return deployment;
    throw new ConflictError(
      `This deployment needs no decision: it is ${deployment.approvalStatus}.`,
      'deployment_not_pending',
    );
  }
}
