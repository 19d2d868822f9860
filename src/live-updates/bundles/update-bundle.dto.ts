import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import {
  type ArtifactStatus,
  artifactStatuses,
} from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';
import { IsBundleExpiry } from './bundle-expiry.decorator.js';
import { BuildTargetingDto } from '../../native-builds/builds/build-targeting.dto.js';

/** A change to a bundle, such as the completion of its upload. */
@ApiExample({ artifactStatus: 'ready' })
export class UpdateBundleDto extends BuildTargetingDto {
  /** `ready` verifies the upload and publishes it. Repeating it changes nothing. */
  @IsAbsentOr()
  @IsOneOf(artifactStatuses, 'BuildArtifactStatus')
  artifactStatus?: ArtifactStatus;

  /** For a zip: the file of the bundle. */
  @IsNullable()
  @IsId()
  appBundleFileId?: string | null;

  /** Share of devices that receive the bundle, 0 to 1. */
  @IsAbsentOr()
  @IsShare()
  rolloutPercentage?: number;

  /** From this time on, only devices that run the bundle are offered it; `null`: never. Also accepts Unix milliseconds. */
  @IsBundleExpiry()
  expiresAt?: Date | null;

  /**
   * Publishes it without approvals, even during a freeze, or raises its share during one. Requires the permission
   * `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
