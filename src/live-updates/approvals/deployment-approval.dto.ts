import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsComment } from '../../common/validation/comment.dto.js';
import { RefuseUnknownFields } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';
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

/** A rejection of a deployment. */
@ApiExample({ comment: 'The checkout is broken.' })
@RefuseUnknownFields(DeploymentApprovalDto, 'deploymentId')
export class RejectDeploymentDto {
  /** Comment for people, at most 1,000 characters. */
  @IsComment()
  comment?: string | null;
}

/** An approval of a deployment. */
@ApiExample({ comment: 'Tested on three devices.' })
@RefuseUnknownFields(DeploymentApprovalDto, 'deploymentId')
export class ApproveDeploymentDto extends RejectDeploymentDto {
  /**
   * Delivers or submits the deployment at once, without further approvals and during a freeze. Requires the permission
   * `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
