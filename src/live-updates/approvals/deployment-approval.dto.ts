import { ApiProperty } from '@nestjs/swagger';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
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

  /** Whose decision it is; `null`: the user was deleted. */
  @ApiProperty({ type: UserReferenceDto, nullable: true })
  user!: UserReferenceDto | null;

  @ApiProperty({ enum: approvalDecisions })
  decision!: ApprovalDecision;

  /** Comment for people; `null`: none. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** The response for a decision. @param users by their ids */
export function toDeploymentApprovalDto(
  approval: DeploymentApproval,
  users: ReadonlyMap<string, UserReferenceDto>,
): DeploymentApprovalDto {
  const { userId } = approval;
  return {
    id: approval.id,
    appDeploymentId: approval.deploymentId,
    userId,
    user: users.get(userId) ?? null,
    decision: approval.decision,
    comment: approval.comment,
    createdAt: approval.createdAt.toISOString(),
  };
}

/** Which approvals a deployment has and lacks, and who can give them. */
@ApiExample({ requiredApprovals: 2, missingApprovals: 1, totalApprovers: 1 })
export class ApprovalStateDto {
  /** Those that the channel or the destination asked for when it was deployed. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  requiredApprovals!: number;

  /** 0 for a deployment that is approved. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  missingApprovals!: number;

  /** Approvals and rejections, oldest first, at most 100. */
  @ApiProperty({ type: [DeploymentApprovalDto] })
  decisions!: DeploymentApprovalDto[];

  /**
   * Members who can still approve it, by name, at most 20: not the user who has created it, nor those who have approved
   * it. Empty unless it is pending.
   */
  @ApiProperty({ type: [UserReferenceDto] })
  approvers!: UserReferenceDto[];

  /** Number of these members. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  totalApprovers!: number;
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
