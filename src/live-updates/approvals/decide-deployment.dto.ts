import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';

/** A rejection of a deployment. */
@ApiExample({ comment: 'The checkout is broken.' })
export class RejectDeploymentDto {
  /** Comment for people, at most 1,000 characters. */
  @IsNullable()
  @IsText(1000)
  comment?: string | null;
}

/** An approval of a deployment. */
@ApiExample({ comment: 'Tested on three devices.' })
export class ApproveDeploymentDto extends RejectDeploymentDto {
  /**
   * Delivers or submits the deployment at once, without further approvals and during a freeze. Requires the permission
   * `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
