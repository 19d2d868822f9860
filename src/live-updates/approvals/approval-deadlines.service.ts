import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type EndedAction, ReleaseChanges } from '../../app-submissions/releases/release-changes.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import { databaseNow } from '../../common/database-clock.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { OrganizationsService } from '../../organizations/organizations/organizations.service.js';
import { Config } from '../../config/config.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { DeploymentChanges } from '../deployments/deployment-changes.js';
import { DeploymentTransitionsService } from '../deployments/deployment-transitions.service.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import { ApprovalsService } from './approvals.service.js';

const QUEUE: QueueDefinition = {
  name: 'approval-deadlines',
  retryLimit: 60,
  retryDelay: 5,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  // After months without a server, what waits ends nevertheless.
  retentionSeconds: 365 * 24 * 3600,
};

interface DeadlineJob {
  readonly appId: string;
  readonly deploymentId: string;
}

const HOUR = 3_600_000;

/**
 * Ends deployments to stores that wait for approvals: when their deadline has passed, and when their job is canceled.
 * In a suspended organization, no approval is possible: the whole time begins again when it is resumed.
 */
@Injectable()
export class ApprovalDeadlines implements OnModuleInit {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly transitions: DeploymentTransitionsService,
    private readonly deployments: DeploymentChanges,
    private readonly releases: ReleaseChanges,
    private readonly apps: AppsService,
    private readonly organizations: OrganizationsService,
    private readonly queue: QueueService,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.queue.handle<DeadlineJob>(QUEUE, (job) => this.expire(job));
    this.deployments.waitsForApprovals.register((deployment) => this.plan(deployment));
    this.releases.actionEnded.register((ended) => this.follow(ended));
  }

  private async follow({ submission, hasSucceeded, message, canceledBy }: EndedAction): Promise<void> {
    if (submission.releaseId !== null || hasSucceeded) return;
    const rejected = await this.transitions.rejectPending(submission.id);
    if (rejected !== null) await this.approvals.rejected(rejected, canceledBy, message);
  }

  private async plan({ id: deploymentId, appId }: Deployment): Promise<void> {
    const { organizationId } = await this.apps.get(appId);
    const startAfter = databaseNow(this.config.stores.waitHours * HOUR);
    await this.send(organizationId, { appId, deploymentId }, startAfter);
  }

  private async expire(job: DeadlineJob): Promise<void> {
    const { appId, deploymentId } = job;
    const { waitHours } = this.config.stores;
    const time = waitHours === 1 ? 'an hour' : `${waitHours} hours`;
    try {
      const { organizationId } = await this.apps.get(appId);
      const { resumedAt } = await this.organizations.get(organizationId);
      const resumed = resumedAt && new Date(resumedAt.getTime() + waitHours * HOUR);
      if (resumed && resumed > databaseNow()) {
        return await transaction(() => this.send(organizationId, job, resumed));
      }
      await this.approvals.expire(
        appId,
        deploymentId,
        `The deployment was not approved within ${time}, which is the limit. Deploy again.`,
      );
    } catch (error) {
      // It has been deleted in the meantime.
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  private send(organizationId: string, job: DeadlineJob, startAfter: Date): Promise<void> {
    return this.queue.send(QUEUE, organizationId, job, { startAfter });
  }
}
