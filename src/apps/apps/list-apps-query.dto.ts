import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** Which apps to list. */
export class ListAppsQuery extends PageQuery {
  /** Only apps of this organization; without it, all apps that the caller can reach. */
  @IsEmptyOr()
  @IsId()
  organizationId?: string;

  /** Only apps with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only apps whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}
