import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { DeploymentSummaryDto } from './deployment-summary.dto.js';

/** A deployment that needs approvals, and what happened to them. */
export class ApprovalEventDto extends DeploymentSummaryDto {
  /** The user who created the deployment; `null`: the user was deleted. */
  @ApiId()
  createdByUserId!: string | null;

  /** The user who requested, gave, withdrew or refused the approval; `null`: no user, for example because its time is over. */
  @ApiId()
  userId!: string | null;

  /** People other than its creator who must approve it. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 5 })
  requiredApprovals!: number;

  /** Approvals that are still needed; 0: it goes live, or is submitted. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 5 })
  missingApprovals!: number;

  /** What the user wrote, or why Slipway rejected it; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  /** Why the other approvals were overridden; `null`: they were not. */
  @ApiProperty({ type: 'string', nullable: true })
  emergencyReason!: string | null;
}
