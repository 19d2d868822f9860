import { IsNotEmpty, IsString } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';

/** What to include with an environment. */
export class GetEnvironmentQuery {
  @Relations('appEnvironmentVariables', 'appEnvironmentSecrets')
  relations?: string[];
}

/** Which environments to list. */
export class ListEnvironmentsQuery extends PageQuery {
  /** Only the environment with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only environments whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;

  @Relations('appEnvironmentVariables', 'appEnvironmentSecrets')
  relations?: string[];
}

/** Which environment to delete. */
export class DeleteEnvironmentQuery {
  /**
   * The name of the environment, ignoring case.
   * @example 'production'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;
}
