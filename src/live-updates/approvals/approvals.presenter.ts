import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { ApprovalsQueries } from './approvals.queries.js';
import type { ApprovalState } from './approvals.service.js';
import {
  type ApprovalStateDto,
  type DeploymentApprovalDto,
  toDeploymentApprovalDto,
} from './deployment-approval.dto.js';
import type { DeploymentApproval } from './deployment-approval.entity.js';

/** Builds the responses for approvals, with the names of people. */
@Injectable()
export class ApprovalsPresenter {
  constructor(
    private readonly users: UsersService,
    private readonly queries: ApprovalsQueries,
  ) {}

  async present(approvals: readonly DeploymentApproval[]): Promise<DeploymentApprovalDto[]> {
    const users = await this.users.referencesTo(approvals.map(({ userId }) => userId));
    return approvals.map((approval) => toDeploymentApprovalDto(approval, users));
  }

  async presentState({ deployment, decisions, missing }: ApprovalState): Promise<ApprovalStateDto> {
    const approvers = await this.queries.approvers(deployment.appId, deployment.id);
    return {
      requiredApprovals: deployment.requiredApprovals,
      missingApprovals: deployment.approvalStatus === 'approved' ? 0 : missing,
      decisions: await this.present(decisions),
      approvers: approvers.map(({ id, name, email }) => ({ id, name, email })),
      totalApprovers: approvers[0]?.total ?? 0,
    };
  }
}
