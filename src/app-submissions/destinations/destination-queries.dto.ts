import { IsNotEmpty, IsString } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { type DestinationPlatform, destinationPlatforms } from './destination.entity.js';

/** Which destinations to list. */
export class ListDestinationsQuery extends PageQuery {
  /** Only destinations with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only destinations for this platform. */
  @IsEmptyOr()
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform?: DestinationPlatform;

  /** Only destinations whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** Which destination to delete. */
export class DeleteDestinationQuery {
  /**
   * The name of the destination, ignoring case.
   * @example 'Google Play, internal'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;

  /** Its platform, if destinations of both have the name. */
  @IsEmptyOr()
  @IsOneOf(destinationPlatforms, 'DestinationPlatform')
  platform?: DestinationPlatform;
}
