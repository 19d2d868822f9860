import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { EmergencyInputDto, IsEmergency } from './emergency.dto.js';

/** A change to a deployment. */
@ApiExample({ rolloutPercentage: 0.5 })
export class UpdateDeploymentDto {
  /**
   * Share of devices, or of users of the store, that receive the build, 0 to 1. Raising the share keeps the devices that
   * already receive it.
   */
  @IsShare()
  rolloutPercentage!: number;

  /** Raises the share even during a freeze. Requires the permission `deployments:override`. */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
