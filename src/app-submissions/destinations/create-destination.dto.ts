import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { DestinationFieldsDto } from './destination-fields.dto.js';
import {
  type DestinationPlatform,
  destinationPlatforms,
  type DestinationType,
  destinationTypes,
} from './destination.entity.js';

/** A new destination. */
@ApiExample({ platform: 'android', androidPackageName: 'com.example.app', googlePlayTrack: 'internal' })
export class CreateDestinationDto extends DestinationFieldsDto {
  /**
   * Unique for the platform, ignoring case.
   * @example 'Google Play, internal'
   */
  @IsName()
  name!: string;

  /** The platform of the builds that go there. It cannot be changed. */
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform!: DestinationPlatform;

  /**
   * The store; by default `google-play` or `apple-app-store-connect`. Firebase takes builds of both platforms. It cannot be
   * changed.
   */
  @IsAbsentOr()
  @IsOneOf(destinationTypes, 'DestinationType')
  type?: DestinationType;
}

/** Changes to a destination; absent fields stay as they are, `null` clears. */
@ApiExample({ googlePlayTrack: 'production' })
export class UpdateDestinationDto extends DestinationFieldsDto {
  /**
   * Unique for the platform, ignoring case.
   * @example 'Google Play, production'
   */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /** It cannot be changed: absent, or as it is. */
  @IsAbsentOr()
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform?: DestinationPlatform;

  /** It cannot be changed: absent, or as it is. */
  @IsAbsentOr()
  @IsOneOf(destinationTypes, 'DestinationType')
  type?: DestinationType;
}
