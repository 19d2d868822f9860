import { IsShare } from '../../common/validation/is-share.decorator.js';
import { EmergencyInputDto, IsEmergency } from './emergency.dto.js';

/** A change to a deployment. */
export class UpdateDeploymentDto {
  /** Share of devices that receive the build, 0 to 1. Devices that are in stay in when it grows. */
  @IsShare()
  rolloutPercentage!: number;

  /** Raises the share in spite of a freeze. Takes the permission `deployments:override`. */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
