import { ApiProperty } from '@nestjs/swagger';
import {
  type ApprovalDecision,
  approvalDecisions,
  type DeploymentApproval,
} from './deployment-approval.entity.js';

/** What one person has decided about a deployment. */
export class DeploymentApprovalDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  appDeploymentId!: string;

  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty({ enum: approvalDecisions })
  decision!: ApprovalDecision;

  /** For people; `null`: none was given. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  @ApiProperty({ format: 'date-time' })
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
