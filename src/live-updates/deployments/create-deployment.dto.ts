import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { EmergencyInputDto, IsEmergency } from './emergency.dto.js';

/** A new deployment of a build to a channel. An id wins over a name. */
@ApiExample({ appChannelId: exampleId('Channel') })
export class CreateDeploymentDto {
  /** The build; for a channel a web build whose bundle is ready. */
  @IsId()
  appBuildId!: string;

  /** The channel. */
  @IsNullable()
  @IsId()
  appChannelId?: string | null;

  /**
   * The channel by name, ignoring case.
   * @example 'production'
   */
  @IsNullable()
  @IsName()
  appChannelName?: string | null;

  /** The store destination, of native builds. */
  @IsNullable()
  @IsId()
  appDestinationId?: string | null;

  /** The store destination by name. */
  @IsNullable()
  @IsName()
  appDestinationName?: string | null;

  /** Share of devices that receive the build, 0 to 1; `null` or absent: all. */
  @IsNullable()
  @IsShare()
  rolloutPercentage?: number | null;

  /** Delivers it without approvals, even during a freeze. Requires the permission `deployments:override`. */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
