import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type ApprovalDecision,
  approvalDecisions,
  type DeploymentApproval,
} from './deployment-approval.entity.js';

/** The decision of one user on a deployment. */
export class DeploymentApprovalDto {
  @ApiId()
  id!: string;

  @ApiId()
  appDeploymentId!: string;

  @ApiId()
  userId!: string;

  @ApiProperty({ enum: approvalDecisions })
  decision!: ApprovalDecision;

  /** Comment for people; `null`: none. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** The response for a decision. */
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
