import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type ApprovalDecision,
  approvalDecisions,
  type DeploymentApproval,
} from './deployment-approval.entity.js';

/** What one person has decided about a deployment. */
export class DeploymentApprovalDto {
  @ApiId()
  id!: string;

  @ApiId()
  appDeploymentId!: string;

  @ApiId()
  userId!: string;

  @ApiProperty({ enum: approvalDecisions })
  decision!: ApprovalDecision;

  /** For people; `null`: none was given. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** What is shown of a decision. */
export function toDeploymentApprovalDto(approval: DeploymentApproval): DeploymentApprovalDto {
  return {
    id: approval.id,
    appDeploymentId: approval.deploymentId,
    userId: approval.userId,
    decision: approval.decision,
    comment: approval.comment,
    createdAt: approval.createdAt.toISOString(),
  };
}
