import { IsNotEmpty, IsString } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** Which configurations to list. */
export class ListConfigurationsQuery extends PageQuery {
  /** Only the configuration with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only configurations whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** Which configuration to delete. */
export class DeleteConfigurationQuery {
  /**
   * The name of the configuration, ignoring case.
   * @example 'staging'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;
}
