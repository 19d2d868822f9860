import { Injectable } from '@nestjs/common';
import type { EventDefinition } from '../../events/event-definition.js';
import { EventsService, type Happening } from '../../events/events.service.js';
import type { ApprovalEventDto, RollBackReason, DeploymentSummaryDto } from './deployment-event.dto.js';
import { appApprovalGiven, appApprovalRequested } from './approvals.events.js';
import type { DeploymentDto } from '../deployments/deployment.dto.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import { DeploymentEventsQueries } from './deployment-events.queries.js';
import {
  appDeploymentCreated,
  appDeploymentLive,
  appDeploymentRolledBack,
  appDeploymentShareChanged,
} from './deployments.events.js';

/** What an event says besides what every event about a deployment says. */
export type DeploymentDetails<Data extends DeploymentSummaryDto> = Omit<Data, keyof DeploymentSummaryDto> &
  Partial<DeploymentSummaryDto>;

/** Records events about deployments, in the transactions of their changes. */
@Injectable()
export class DeploymentEvents {
  constructor(
    private readonly events: EventsService,
    private readonly queries: DeploymentEventsQueries,
  ) {}

  /** A deployment was created. @param deployment as the response shows it */
  async created(deployment: DeploymentDto): Promise<void> {
    const { appId, id: objectId, appChannelId: channelId } = deployment;
    const appAutomationId = (await this.queries.describe(objectId))?.summary.appAutomationId ?? null;
    // Without the names of people, what comes later, and what is only for those who change it.
    const none = { createdBy: undefined, updatedBy: undefined, takenBackAt: undefined, etag: undefined };
    const data = { ...deployment, ...none, appAutomationId };
    await this.events.record(appDeploymentCreated, { appId, objectId, channelId, data });
  }

  /** A deployment is live from now on. */
  live(id: string, emergencyReason: string | null): Promise<void> {
    return this.record(appDeploymentLive, id, { emergencyReason });
  }

  /** A user changes the share of a deployment. @param before the share until now */
  shareChanged(id: string, before: number, rolloutPercentage: number, comment: string | null): Promise<void> {
    return this.record(appDeploymentShareChanged, id, {
      rolloutPercentage,
      before: { rolloutPercentage: before },
      after: { rolloutPercentage },
      comment,
    });
  }

  /** A deployment waits for approvals. */
  approvalRequested(deployment: Deployment): Promise<void> {
    const { createdByUserId, requiredApprovals } = deployment;
    return this.approval(appApprovalRequested, deployment, {
      userId: createdByUserId,
      missingApprovals: requiredApprovals,
    });
  }

  /** A user has approved a deployment that needs more approvals, in an emergency. */
  approvalsOverridden(deployment: Deployment, emergencyReason: string): Promise<void> {
    const userId = deployment.emergencyByUserId;
    return this.approval(appApprovalGiven, deployment, { userId, missingApprovals: 0, emergencyReason });
  }

  /** Something happened to the approvals of a deployment. @param decision absent: no comment, and no emergency */
  approval(
    definition: EventDefinition<ApprovalEventDto>,
    { id, createdByUserId, requiredApprovals }: Deployment,
    decision: Pick<ApprovalEventDto, 'userId' | 'missingApprovals'> &
      Partial<Pick<ApprovalEventDto, 'comment' | 'emergencyReason'>>,
  ): Promise<void> {
    const about = { createdByUserId, requiredApprovals, comment: null, emergencyReason: null };
    return this.record(definition, id, { ...about, ...decision });
  }

  /** Devices no longer get a deployment. @param newId the deployment that replaces it; `null`: the one before it */
  rolledBack(
    id: string,
    reason: RollBackReason,
    comment: string | null,
    newId: string | null = null,
  ): Promise<void> {
    return this.record(appDeploymentRolledBack, id, { reason, comment, newAppDeploymentId: newId });
  }

  /**
   * Records an event about a deployment, unless that is gone. It needs one statement more.
   *
   * @param details take the place of what the row of the deployment says
   */
  async record<Data extends DeploymentSummaryDto>(
    definition: EventDefinition<Data>,
    id: string,
    details: DeploymentDetails<NoInfer<Data>>,
  ): Promise<void> {
    const happening = await this.happening(definition, id, details);
    if (happening !== null) await this.events.record(definition, happening);
  }

  /** What `record` records. @returns `null`: the deployment is gone */
  async happening<Data extends DeploymentSummaryDto>(
    _: EventDefinition<Data>,
    id: string,
    details: DeploymentDetails<NoInfer<Data>>,
  ): Promise<Happening<Data> | null> {
    const described = await this.queries.describe(id);
    if (described === null) return null;
    const { appId, summary } = described;
    const data = { ...summary, ...details } as unknown as Data;
    return { appId, objectId: id, channelId: summary.appChannelId, data };
  }
}
