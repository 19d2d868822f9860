import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';

/** The release of an approved version. */
@ApiExample({ emergency: { reason: 'The fix cannot wait for the end of the freeze.' } })
export class ReleaseDeploymentDto {
  /** Releases it even during a freeze. Requires the permission `deployments:override`. */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
